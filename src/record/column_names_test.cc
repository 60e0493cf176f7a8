// SPDX-License-Identifier: Apache-2.0
// Names of columns that differ from the keys of documents.
#include <gtest/gtest.h>

#include "record/columns.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/schema.h"

namespace ridge::record::testing {

struct Middle {
  double median = 0, low = 0, high = 0;
};

struct Timed {
  std::int32_t order = 3;
  Middle time;
  std::optional<Middle> cost;
  double apart = 2;
};

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct record::Describe<record::testing::Middle> {
  using T = testing::Middle;
  static constexpr std::array ends{field<&T::low>("low", "low end"),
                                   field<&T::high>("high", "high end")};
  static constexpr std::array fields{field<&T::median>("median", "middle"),
                                     listed_group<T, ends>("ci95", "interval", column(""))};
  static std::string column_name(std::string_view field, std::string_view part) {
    return std::string(part) + "_of_" + std::string(field);
  }
};

template <>
struct record::Describe<record::testing::Timed> {
  using T = testing::Timed;
  static constexpr std::array fields{field<&T::order>("order", "of execution", column("execution")),
                                     field<&T::time>("time_ns", "of a run"),
                                     field<&T::cost>("cost", "of an event", column("event")),
                                     field<&T::apart>("apart", "of rows alone", column_only())};
};

namespace record {
namespace {

using testing::Timed;

TEST(ColumnNames, AreThoseThatADescriptionGives) {
  EXPECT_EQ(column_names(kType<Timed>),
            "execution, median_of_time_ns, low_of_time_ns, high_of_time_ns, median_of_event, "
            "low_of_event, high_of_event, apart");
}

TEST(ColumnNames, OfRowsAloneAreInNoDocument) {
  const Timed timed{.order = 3, .time = {}, .cost = {}, .apart = 7};
  const std::string text = json_text(kType<Timed>, &timed);
  EXPECT_EQ(text, R"({"order":3,"time_ns":{"median":0,"ci95":[0,0]},"cost":null})");
  EXPECT_EQ(read_json<Timed>(text)->apart, 2);
  EXPECT_EQ(schema_page(kType<Timed>).find("apart"), std::string::npos);
}

}  // namespace
}  // namespace record
}  // namespace ridge
