// SPDX-License-Identifier: Apache-2.0
// Groups, keys that are left out, variants of scalars and exclusive bounds, by every adapter.
#include <gtest/gtest.h>

#include <cmath>

#include "base/sink.h"
#include "record/binary.h"
#include "record/columns.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/schema.h"
#include "record/settings.h"
#include "record/toml.h"

namespace ridge::record::testing {

using Size = std::variant<std::int64_t, std::string>;

struct Trial {
  std::int64_t load = 0, first = 0;
  double low = NAN, high = NAN;
  double rate = 1;
  std::optional<Size> size;
  std::vector<Size> shape;
  std::map<std::string, std::int64_t> bindings;
  std::vector<std::int64_t> samples;
  bool verified = false;
  double difference = 0;
};

inline bool has_interval(const Trial& r) { return !std::isnan(r.low); }
inline bool is_verified(const Trial& r) { return r.verified; }

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct record::Describe<record::testing::Trial> {
  using T = testing::Trial;
  static constexpr std::string_view schema = "ridge.trial/1";
  static constexpr std::string_view text = "One trial.";
  static constexpr std::array kSetup{
      field<&T::load>("load_ns", "time to load"),
      field<&T::first>("first_ns", "time of the first run", omit_default())};
  static constexpr std::array kEnds{field<&T::low>("low", "lower end"),
                                    field<&T::high>("high", "upper end")};
  static constexpr std::array fields{
      group<T, kSetup>("setup", "times before the samples"),
      listed_group<T, kEnds>("ci95", "interval", when<&testing::has_interval>()),
      field<&T::rate>("rate_per_s", "rate", above(0), known()),
      field<&T::size>("size", "a size"),
      field<&T::shape>("shape", "sizes of axes", or_default()),
      field<&T::bindings>("bindings", "sizes by name", item_lines()),
      field<&T::samples>("samples", "times", no_column()),
      field<&T::verified>("verified", "whether it was verified"),
      field<&T::difference>("difference", "what was found", only_when<&testing::is_verified>())};
};

namespace record {
namespace {

using testing::Size;
using testing::Trial;

Trial full_run() {
  return {.load = 3,
          .first = 4,
          .low = 1,
          .high = 2,
          .rate = 0.5,
          .size = Size("n"),
          .shape = {Size(8), Size("2*n")},
          .bindings = {{"n", 4}, {"m", 5}},
          .samples = {6},
          .verified = true,
          .difference = 0.25};
}

std::string json_of(const Trial& run) { return json_text(kType<Trial>, &run); }

TEST(Group, StandsAsAnObjectOfItsOwnOrAsAList) {
  EXPECT_EQ(json_of(full_run()),
            R"({"schema":"ridge.trial/1","setup":{"load_ns":3,"first_ns":4},"ci95":[1,2],)"
            R"("rate_per_s":0.5,"size":"n","shape":[8,"2*n"],"bindings":{)"
            "\n"
            R"("m":5,)"
            "\n"
            R"("n":4)"
            "\n"
            R"(},"samples":[6],"verified":true,"difference":0.25})");
  EXPECT_EQ(json_of({}),
            R"({"schema":"ridge.trial/1","setup":{"load_ns":0},"ci95":null,"rate_per_s":1,)"
            R"("size":null,"shape":[],"bindings":{},"samples":[],"verified":false})");
}

TEST(Group, ReadsBackFromEveryForm) {
  for (const Trial& run : {full_run(), Trial{}}) {
    const std::string json = json_of(run);
    const Result<Trial> read = read_json<Trial>(json);
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(json_of(*read), json);
    const std::optional<Trial> copied = from_binary<Trial>(to_binary(run));
    ASSERT_TRUE(copied);
    EXPECT_EQ(json_of(*copied), json);
    const Result<Trial> file = read_toml<Trial>(toml_text(run));
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(json_of(*file), json);
    Trial set_up;
    for (const Setting& s : settings(kType<Trial>, &run))
      ASSERT_TRUE(set(kType<Trial>, &set_up, s.name, s.value).ok()) << s.name;
    EXPECT_EQ(json_of(set_up), json);
  }
}

TEST(Group, FaultsNameThePathThroughIt) {
  const auto fault = [](std::string_view changed, std::string_view by) {
    std::string text = json_of(full_run());
    text.replace(text.find(changed), changed.size(), by);
    return read_json<Trial>(text).error().text();
  };
  EXPECT_EQ(fault("\"load_ns\":3", "\"load_ns\":\"3\""),
            "error: setup.load_ns: integer expected, got text\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(fault("[1,2]", "[1,\"2\"]"),
            "error: ci95[1]: number expected, got text\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(fault("[1,2]", "[1]"), "error: ci95: 2 values expected, got 1\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(fault("0.5", "0"),
            "error: rate_per_s: number above 0 expected, got 0\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(fault("0.5", "null"),
            "error: rate_per_s: number above 0 expected, got null\n  [RIDGE-REC-0002]\n");
  EXPECT_EQ(fault("[8,", "[true,"),
            "error: shape[0]: integer or text expected, got true or false\n  [RIDGE-REC-0002]\n");
}

TEST(Group, HasColumnsWithItsName) {
  EXPECT_EQ(column_names(kType<Trial>),
            "setup_load_ns, setup_first_ns, ci95_low, ci95_high, rate_per_s, size, shape, "
            "bindings, verified, difference");
  const std::string sql =
      sql_create({.table = "trial", .type = kType<Trial>, .before = {}, .after = {}});
  EXPECT_NE(sql.find("rate_per_s REAL NOT NULL,\n"), std::string::npos) << sql;
  EXPECT_NE(sql.find("difference REAL)"), std::string::npos) << sql;
}

TEST(Group, SchemaSaysWhatMayBeAbsent) {
  StringSink sink;
  write_schema(kType<Trial>, sink);
  EXPECT_EQ(sink.text(), R"({
"$schema":"https://json-schema.org/draft/2020-12/schema",
"title":"ridge.trial/1",
"description":"One trial.","type":"object","required":["schema","setup","ci95","rate_per_s","size","shape","bindings","samples","verified"],
"properties":{
"schema":{"const":"ridge.trial/1","description":"name and version of this document"},
"setup":{"description":"times before the samples","type":"object","required":["load_ns"],
"properties":{
"load_ns":{"description":"time to load","type":"integer"},
"first_ns":{"description":"time of the first run","type":"integer"}
}},
"ci95":{"description":"interval","type":["array","null"],"minItems":2,"maxItems":2,"items":{"type":["number","null"]}},
"rate_per_s":{"description":"rate","type":"number","exclusiveMinimum":0},
"size":{"description":"a size","type":["integer","string","null"]},
"shape":{"description":"sizes of axes","type":"array","items":{"type":["integer","string"]}},
"bindings":{"description":"sizes by name","type":"object","additionalProperties":{"type":"integer"}},
"samples":{"description":"times","type":"array","items":{"type":"integer"}},
"verified":{"description":"whether it was verified","type":"boolean"},
"difference":{"description":"what was found","type":["number","null"]}
}
}
)");
}

}  // namespace
}  // namespace record
}  // namespace ridge
