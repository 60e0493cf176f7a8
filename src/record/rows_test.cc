// SPDX-License-Identifier: Apache-2.0
#include "record/rows.h"

#include <gtest/gtest.h>

#include "record/binary.h"
#include "record/columns.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/schema.h"

namespace ridge::record::testing {

/// A table in columns.
struct Series {
  std::vector<std::int64_t> times;
  std::vector<std::string> names;
};

struct Moment {
  std::int64_t time = 0;
  std::string name;
};

inline std::size_t count(const Series& s) { return s.times.size(); }
inline void moment_at(const Series& s, std::size_t i, Moment& out) {
  out.time = s.times[i];
  out.name = s.names[i];
}
inline Result<void> add_moment(Series& s, std::size_t i, Moment& row) {
  if (i > 0 && row.time < s.times.back())
    return input_error("RIDGE-TEST-0001", "moment " + std::to_string(i) + " is too early");
  s.times.push_back(row.time);
  s.names.push_back(std::move(row.name));
  return {};
}

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct record::Describe<record::testing::Moment> {
  using T = testing::Moment;
  static constexpr std::array fields{field<&T::time>("time_ns", "when"),
                                     field<&T::name>("name", "what", or_default())};
};

template <>
struct record::Describe<record::testing::Series> {
  using T = testing::Series;
  static constexpr std::array fields{
      rows<testing::Moment, &testing::count, &testing::moment_at, &testing::add_moment>(
          "moments", "in their order")};
};

namespace record {
namespace {

using testing::Series;

TEST(Rows, AreMadeAndTakenOneByOne) {
  const Series series{{1, 5, 9}, {"a", "", "c"}};
  const std::string text = json_text(kType<Series>, &series);
  EXPECT_EQ(text, R"({"moments":[{"time_ns":1,"name":"a"},{"time_ns":5,"name":""},)"
                  R"({"time_ns":9,"name":"c"}]})");
  const Series read = read_json<Series>(text).value();
  EXPECT_EQ(read.times, series.times);
  EXPECT_EQ(read.names, series.names);
  EXPECT_EQ(read_json<Series>(R"({"moments":[]})")->times.size(), 0U);
}

TEST(Rows, StartFromDefaultValues) {
  const Series read =
      read_json<Series>(R"({"moments":[{"time_ns":1,"name":"a"},{"time_ns":2}]})").value();
  EXPECT_EQ(read.names, (std::vector<std::string>{"a", ""}));
}

TEST(Rows, ThatTheOwnerRefusesAreTheErrorOfTheList) {
  const auto read = read_json<Series>(R"({"moments":[{"time_ns":3},{"time_ns":2},{"time_ns":1}]})");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().where(), "moments");
  EXPECT_EQ(read.error().message(), "moment 1 is too early");
  EXPECT_EQ(read_json<Series>(R"({"moments":[{"time_ns":3},{}]})").error().where(), "moments[1]");
}

TEST(Rows, PassThroughTheBinaryForm) {
  const Series series{{1, 5}, {"a", "b"}};
  const std::optional<Series> read = from_binary<Series>(to_binary(series));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->times, series.times);
  EXPECT_EQ(read->names, series.names);
}

TEST(Rows, AreAListInTheSchemaAndOneColumnOfText) {
  EXPECT_NE(schema_page(kType<Series>).find("moments[].time_ns"), std::string::npos);
  EXPECT_EQ(column_names(kType<Series>), "moments");
}

}  // namespace
}  // namespace record
}  // namespace ridge
