// SPDX-License-Identifier: Apache-2.0
// Rows that are made while they are written, borrowed texts and lists, and the straight writer.
#include "record/json_table.h"

#include <gtest/gtest.h>

#include "base/sink.h"
#include "record/schema.h"
#include "record/stream.h"

namespace ridge::record::testing {

enum class Kind : std::uint8_t { kWeight, kActivation };

struct Place {
  std::uint32_t line = 0;
  double share = 0;
};

struct Row {
  using Size = std::optional<std::variant<std::int64_t, std::string_view>>;

  std::string_view name, reason;
  std::span<const Size> shape;
  Kind kind = Kind::kWeight;
  std::optional<std::uint32_t> parent;
  Place place;
  bool known = false;
  std::optional<std::int64_t> most;
  std::int64_t cost = 0;
};

inline std::string title(const Row& row) { return "<" + std::string(row.name) + ">"; }
inline bool is_known(const Row& row) { return row.known; }

struct Sheet {
  std::string_view title;
  Stream<Row> rows;
  std::span<const std::int64_t> totals;
};

struct Book {
  std::vector<Sheet> tables;
};

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct Words<record::testing::Kind> {
  static constexpr std::array list{Word{record::testing::Kind::kWeight, "weight"},
                                   Word{record::testing::Kind::kActivation, "activation"}};
};

template <>
struct record::Describe<record::testing::Place> {
  using T = testing::Place;
  static constexpr std::array fields{field<&T::line>("line", "where it stands"),
                                     field<&T::share>("share", "of the whole")};
};

template <>
struct record::Describe<record::testing::Row> {
  using T = testing::Row;
  static constexpr std::array fields{
      field<&T::name>("name", "what it is called"),
      computed<&testing::title>("title", "its name in brackets"),
      field<&T::reason>("reason", "why it is not known", zero_is_null()),
      field<&T::shape>("shape", "sizes of its axes"),
      field<&T::kind>("kind", "what it is"),
      field<&T::parent>("parent", "the row that it belongs to"),
      inlined<&T::place>(),
      field<&T::place>("place", "the same as an object", when<&testing::is_known>()),
      field<&T::known>("known", "whether it is known"),
      field<&T::most>("most", "upper bound", omit_empty()),
      field<&T::cost>("cost", "what it costs", only_when<&testing::is_known>())};
};

template <>
struct record::Describe<record::testing::Sheet> {
  using T = testing::Sheet;
  static constexpr std::string_view schema = "ridge.sheet/1";
  static constexpr std::array fields{field<&T::title>("title", "of the table", omit_empty()),
                                     field<&T::rows>("rows", "its rows", item_lines()),
                                     field<&T::totals>("totals", "sums", omit_empty())};
};

template <>
struct record::Describe<record::testing::Book> {
  using T = testing::Book;
  static constexpr std::string_view name = "book";
  static constexpr std::array fields{field<&T::tables>("tables", "all of them")};
};

namespace record {
namespace {

using testing::Row;
using testing::Sheet;

constexpr std::array<Row::Size, 3> kSizes{Row::Size(8), Row::Size("batch"), std::nullopt};

Row full_row() {
  return {.name = "a\"b",
          .reason = "none",
          .shape = kSizes,
          .kind = testing::Kind::kActivation,
          .parent = 3,
          .place = {.line = 7, .share = 0.5},
          .known = true,
          .most = 9,
          .cost = -1};
}

TEST(JsonTable, StraightWriterWritesWhatTheGeneralOneWrites) {
  constexpr std::string_view kFull =
      R"({"name":"a\"b","title":"<a\"b>","reason":"none","shape":[8,"batch",null],)"
      R"("kind":"activation","parent":3,"line":7,"share":0.5,"place":{"line":7,"share":0.5},)"
      R"("known":true,"most":9,"cost":-1})";
  constexpr std::string_view kEmpty =
      R"({"name":"","title":"<>","reason":null,"shape":[],"kind":"weight","parent":null,)"
      R"("line":0,"share":0,"place":null,"known":false})";
  for (const auto& [row, text] : {std::pair(full_row(), kFull), std::pair(Row{}, kEmpty)}) {
    EXPECT_EQ(json_text(kType<Row>, &row), text);
    StringSink sink;
    {
      JsonWriter json(sink);
      write_row<kType<Row>>(json, &row);
    }
    EXPECT_EQ(sink.text(), text);
  }
}

TEST(JsonTable, RowsAreMadeWhileTheyAreWritten) {
  const std::array<std::int64_t, 2> totals{4, 5};
  Sheet table{.title = "t", .totals = totals};
  EXPECT_EQ(json_text(kType<Sheet>, &table),
            R"({"schema":"ridge.sheet/1","title":"t","rows":[],"totals":[4,5]})");
  table = {.rows = Stream<Row>([](auto use) {
             Row row;
             for (const std::string_view name : {"a", "b"}) {
               row.name = name;
               use(row);
             }
           })};
  EXPECT_EQ(json_text(kType<Sheet>, &table),
            "{\"schema\":\"ridge.sheet/1\",\"rows\":[\n"
            R"({"name":"a","title":"<a>","reason":null,"shape":[],"kind":"weight","parent":null,)"
            R"("line":0,"share":0,"place":null,"known":false},)"
            "\n"
            R"({"name":"b","title":"<b>","reason":null,"shape":[],"kind":"weight","parent":null,)"
            R"("line":0,"share":0,"place":null,"known":false})"
            "\n]}");
}

TEST(JsonTable, SchemaOfViewsIsThatOfValues) {
  StringSink sink;
  write_schema(kType<Sheet>, sink);
  const std::string text = sink.text();
  EXPECT_NE(text.find(R"("required":["schema","rows"])"), std::string::npos) << text;
  EXPECT_NE(
      text.find(R"("required":["name","title","reason","shape","kind","parent","line","share",)"
                R"("place","known"])"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("type":"array","items":{"type":["integer","string","null"]})"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("minItems"), std::string::npos) << text;
}

TEST(JsonTable, SchemaRefersToDocumentsInside) {
  StringSink sink;
  write_schema(kType<testing::Book>, sink);
  EXPECT_NE(sink.text().find(R"("type":"array","items":{"$ref":"ridge.sheet.1.json"})"),
            std::string::npos)
      << sink.text();
  EXPECT_EQ(schema_page(kType<testing::Book>),
            "## book\n\n\n\n| key | type | meaning |\n| --- | --- | --- |\n"
            "| `tables` | array | all of them |\n");
}

}  // namespace
}  // namespace record
}  // namespace ridge
