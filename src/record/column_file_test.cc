// SPDX-License-Identifier: Apache-2.0
#include "record/column_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/sink.h"
#include "record/json_write.h"
#include "record/rows.h"
#include "record/stream.h"
#include "record/testing/column_reader.h"
#include "record/testing/made.h"

namespace ridge::record::testing {

struct Trip {
  using Cell = std::variant<std::int64_t, double, std::string>;

  std::string_view name;
  std::optional<Cell> cell;
  std::uint64_t hash = 0;
  Json raw;
  Shape shape;
  std::map<std::string, std::int64_t> sizes;
  double low = NAN, high = NAN, cost = NAN;
  std::int64_t extra = 0;
  bool known = false;
  std::string dtype = "float32";
  std::vector<Layer> parts;
};

inline bool has_ends(const Trip& t) { return !std::isnan(t.low); }
inline bool has_extra(const Trip& t) { return t.known; }
inline std::int64_t twice(const Trip& t) { return 2 * t.extra; }

struct Log {
  using Row = std::vector<std::pair<std::string, std::optional<Trip::Cell>>>;

  std::int64_t begun = 3;
  Origin origin;
  Stream<Trip> trips;
  std::optional<std::vector<Interval>> ranges;
  std::vector<Row> answers;
  std::vector<std::int64_t> times;
  std::vector<std::string> notes;
};

inline std::size_t time_count(const Log& log) { return log.times.size(); }
struct Moment {
  std::int64_t ns = 0;
};
inline void time_at(const Log& log, std::size_t i, Moment& out) { out.ns = log.times[i]; }
inline Result<void> add_time(Log& log, std::size_t, Moment& row) {
  log.times.push_back(row.ns);
  return {};
}

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct record::Describe<record::testing::Trip> {
  using T = testing::Trip;
  static constexpr std::string_view schema = "ridge.trip/1";
  static constexpr std::array ends{field<&T::low>("low", "from"), field<&T::high>("high", "to")};
  static constexpr std::array price{
      field<&T::cost>("cost", "what it costs"),
      listed_group<T, ends>("range", "at least, at most", when<&testing::has_ends>())};
  static constexpr std::array fields{
      field<&T::name>("name", "a label", column("label")),
      field<&T::cell>("cell", "anything"),
      field<&T::hash>("hash", "of all"),
      field<&T::raw>("raw", "another tool's"),
      field<&T::shape>("shape", "its shape", untagged()),
      field<&T::sizes>("sizes", "by name", no_column()),
      group<T, price>("price", "its price", column("")),
      field<&T::extra>("extra", "more", only_when<&testing::has_extra>()),
      computed<&testing::twice>("twice", "twice the extra"),
      field<&T::dtype>("dtype", "element type", omit_default()),
      field<&T::parts>("parts", "its parts", omit_empty()),
      field<&T::known>("known_in_rows", "of rows alone", column_only())};
};

template <>
struct record::Describe<record::testing::Moment> {
  static constexpr std::array fields{field<&testing::Moment::ns>("ns", "when")};
};

template <>
struct record::Describe<record::testing::Log> {
  using T = testing::Log;
  static constexpr std::string_view schema = "ridge.log/1";
  static constexpr std::array fields{
      field<&T::begun>("begun", "when it began"),
      inlined<&T::origin>(),
      field<&T::trips>("trips", "in their order", item_lines()),
      field<&T::ranges>("ranges", "from and to"),
      field<&T::answers>("answers", "by column"),
      rows<testing::Moment, &testing::time_count, &testing::time_at, &testing::add_time>("times",
                                                                                         "moments"),
      field<&T::notes>("notes", "for people")};
};

namespace record {
namespace {

using testing::column_findings;
using testing::ColumnFile;
using testing::Findings;
using testing::Interval;
using testing::Log;
using testing::Made;
using testing::read_columns;
using testing::Trip;
using Values = std::vector<nlohmann::json>;

template <typename T>
std::string columns_of(const T& document) {
  StringSink sink;
  write_columns(document, sink);
  return sink.text();
}

template <typename T>
std::string json_text_of(const T& document) {
  return json_text(kType<T>, &document);
}

Log log_of(const std::vector<Trip>& trips) {
  Log log;
  log.trips = Stream<Trip>([&trips](auto use) {
    for (const Trip& trip : trips) use(trip);
  });
  return log;
}

std::vector<Trip> three_trips() {
  std::vector<Trip> out(3);
  out[0] = {.name = "a", .cell = 1, .hash = 7, .raw = {"{\"x\":[1]}"}, .shape = testing::Circle{2}};
  out[1] = {.name = "caf\xC3\xA9 \xFF",
            .hash = std::numeric_limits<std::uint64_t>::max(),
            .shape = testing::Box{3, 4, {0.5}},
            .sizes = {{"batch", 8}},
            .low = 1,
            .high = 2,
            .cost = 0.25,
            .extra = 5,
            .known = true,
            .dtype = "int8",
            .parts = {{.name = "p"}}};
  out[2].cell = std::numeric_limits<std::int64_t>::min();
  return out;
}

TEST(ColumnFile, OfADocumentWithoutTablesIsStatedByteForByte) {
  const testing::Origin origin{.host = "h", .tool = "t"};
  const std::string footer =
      "{\"schema\":\"ridge.columns/1\",\n\"document\":{\"host_name\":\"h\",\"tool\":\"t\"},\n"
      "\"tables\":{}}";
  std::string expected = "RIDGECOL" + std::string(56, '\0') + footer;
  expected += static_cast<char>(footer.size()) + std::string(7, '\0') + "RIDGECOL";
  EXPECT_EQ(columns_of(origin), expected);
}

TEST(ColumnFile, SaysWhatTheJsonDocumentSays) {
  for (const Made& made : {testing::example(), Made()})
    EXPECT_EQ(column_findings(json_text_of(made), columns_of(made)), Findings());
  const std::vector<Trip> trips = three_trips();
  Log log = log_of(trips);
  EXPECT_EQ(column_findings(json_text_of(log), columns_of(log)), Findings());
  log.ranges = std::vector<Interval>{{1, 2}, {NAN, 3}};
  log.answers = {{{"n", 1}, {"name", "x"}}, {{"n", std::nullopt}, {"rate", 0.5}}};
  log.times = {5, 6};
  log.notes = {"one"};
  EXPECT_EQ(column_findings(json_text_of(log), columns_of(log)), Findings());
}

TEST(ColumnFile, KeepsTheNamesOfJsonAndFlattensRecords) {
  const std::vector<Trip> trips = three_trips();
  const ColumnFile file = read_columns(columns_of(log_of(trips)));
  std::string names;
  for (const auto& column : file.tables.at("trips")) names += column.name + ":" + column.type + " ";
  EXPECT_EQ(names,
            "schema:text name:text cell:int64 hash:uint64 raw:json shape:json sizes:json "
            "price_cost:float64 price_range_low:float64 price_range_high:float64 extra:int64 "
            "twice:int64 dtype:text parts:json ");
  EXPECT_EQ(file.values("trips", "name"), (Values{"a", "caf\xC3\xA9 \xEF\xBF\xBD", ""}));
  EXPECT_EQ(file.values("trips", "price_range_high"), (Values{nullptr, 2.0, nullptr}));
  EXPECT_EQ(file.values("trips", "extra"), (Values{nullptr, 5, nullptr}));
  EXPECT_EQ(file.values("trips", "raw"), (Values{{{"x", {1}}}, nullptr, nullptr}));
  EXPECT_FALSE(file.column("trips", "name").has_bitmap);
  EXPECT_FALSE(file.document.contains("trips"));
  EXPECT_TRUE(file.document.at("ranges").is_null());
}

TEST(ColumnFile, AVariantOfScalarsHasTheTypeOfItsValuesWhileTheyAreOfOne) {
  const auto cells = [](const std::vector<std::optional<Trip::Cell>>& values) {
    std::vector<Trip> trips;
    for (const auto& value : values) trips.push_back({.name = "", .cell = value});
    const ColumnFile file = read_columns(columns_of(log_of(trips)));
    return std::pair(file.column("trips", "cell").type, file.values("trips", "cell"));
  };
  EXPECT_EQ(cells({}), std::pair(std::string("int64"), Values{}));
  EXPECT_EQ(cells({std::nullopt, 4}), std::pair(std::string("int64"), Values{nullptr, 4}));
  EXPECT_EQ(cells({std::nullopt, 0.5}), std::pair(std::string("float64"), Values{nullptr, 0.5}));
  EXPECT_EQ(cells({std::nullopt, "x"}), std::pair(std::string("text"), Values{nullptr, "x"}));
  EXPECT_EQ(cells({-4, std::nullopt, "x", 0.5, 5}),
            std::pair(std::string("json"), Values{-4, nullptr, "x", 0.5, 5}));
  EXPECT_EQ(cells({"x\"", 5}), std::pair(std::string("json"), Values{"x\"", 5}));
}

TEST(ColumnFile, RowsThatAreMapsHaveTheColumnsOfTheirKeys) {
  Log log;
  log.answers = {{{"n", 1}}, {{"rate", 0.5}, {"n", 2}}, {}};
  const ColumnFile file = read_columns(columns_of(log));
  EXPECT_EQ(file.rows.at("answers"), 3U);
  EXPECT_EQ(file.values("answers", "n"), (Values{1, 2, nullptr}));
  EXPECT_EQ(file.values("answers", "rate"), (Values{nullptr, 0.5, nullptr}));
}

// From 1 MiB on the longest column goes to the sink while rows are added.
TEST(ColumnFile, OfALargeTableSaysWhatTheJsonDocumentSays) {
  std::vector<Trip> trips(1000);
  const std::string letters(3000, 'n'), quotes(3000, '"');
  for (std::size_t i = 0; i < trips.size(); ++i) {
    Trip& trip = trips[i];
    trip.name = std::string_view(i % 2 == 0 ? letters : quotes).substr(0, 3 * i);
    if (i % 3 != 0) trip.cell = static_cast<std::int64_t>(i * i);
    if (i == 999) trip.cell = "last";
    trip.hash = i << i % 64;
    trip.cost = i < 300 ? NAN : 1.0 / static_cast<double>(i);
    trip.parts.resize(i % 7);
    for (testing::Layer& part : trip.parts) part.name = std::string(i % 50, 'p');
  }
  const Log log = log_of(trips);
  EXPECT_EQ(column_findings(json_text_of(log), columns_of(log)), Findings());
}

TEST(ColumnFile, NullsStandInABitmapOfOneBitARow) {
  std::vector<Trip> trips(17);
  for (std::size_t i = 0; i < trips.size(); i += 3) trips[i].cell = static_cast<std::int64_t>(i);
  const ColumnFile file = read_columns(columns_of(log_of(trips)));
  const Values values = file.values("trips", "cell");
  for (std::size_t i = 0; i < trips.size(); ++i)
    EXPECT_EQ(values[i], i % 3 == 0 ? nlohmann::json(i) : nlohmann::json()) << i;
}

}  // namespace
}  // namespace record
}  // namespace ridge
