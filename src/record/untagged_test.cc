// SPDX-License-Identifier: Apache-2.0
// Variants that stand without the key "kind", and names in several of their alternatives.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/sink.h"
#include "record/json_write.h"
#include "record/schema.h"

namespace ridge::record::testing {

struct Point2 {
  int x = 0;
};
struct Circle2 {
  Point2 center;
  double radius = 1;
};
struct Cut {
  int x = 0, y = 0;
};
struct Square2 {
  Cut center;
  int width = 2;
};
struct Drawing {
  std::variant<Circle2, Square2> shape;
};

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct record::Describe<record::testing::Point2> {
  static constexpr std::array fields{field<&testing::Point2::x>("x", "to the right")};
};
template <>
struct record::Describe<record::testing::Cut> {
  using T = testing::Cut;
  static constexpr std::array fields{field<&T::x>("x", "to the right"), field<&T::y>("y", "up")};
};
template <>
struct record::Describe<record::testing::Circle2> {
  using T = testing::Circle2;
  static constexpr std::string_view name = "circle";
  static constexpr std::array fields{field<&T::center>("center", "its middle"),
                                     field<&T::radius>("radius", "its size", known())};
};
template <>
struct record::Describe<record::testing::Square2> {
  using T = testing::Square2;
  static constexpr std::string_view name = "square";
  static constexpr std::array fields{field<&T::center>("center", "its middle"),
                                     field<&T::width>("width", "its size")};
};
template <>
struct record::Describe<record::testing::Drawing> {
  using T = testing::Drawing;
  static constexpr std::string_view name = "drawing";
  static constexpr std::array fields{field<&T::shape>("shape", "what is drawn", untagged())};
};

namespace record {
namespace {

using testing::Circle2;
using testing::Drawing;
using testing::Square2;

TEST(Untagged, StandsWithoutItsKind) {
  const Drawing circle{Circle2{{3}, 0.5}}, square{Square2{{1, 2}, 4}};
  EXPECT_EQ(json_text(kType<Drawing>, &circle), R"({"shape":{"center":{"x":3},"radius":0.5}})");
  EXPECT_EQ(json_text(kType<Drawing>, &square), R"({"shape":{"center":{"x":1,"y":2},"width":4}})");
}

TEST(Untagged, TheSchemaHasTheKeysOfAllAlternativesAndRequiresWhatTheyShare) {
  StringSink sink;
  write_schema(kType<Drawing>, sink);
  const auto shape = nlohmann::json::parse(sink.text())["properties"]["shape"];
  EXPECT_EQ(shape["required"], nlohmann::json({"center"}));
  EXPECT_EQ(shape["properties"].size(), 3U);
  EXPECT_FALSE(shape["properties"].contains("kind"));
  const auto center = shape["properties"]["center"];
  EXPECT_EQ(center["required"], nlohmann::json({"x"}));
  EXPECT_EQ(center["properties"].size(), 2U);
  EXPECT_EQ(schema_page(kType<Drawing>),
            "## drawing\n\n\n\n| key | type | meaning |\n| --- | --- | --- |\n"
            "| `shape` | object | what is drawn |\n"
            "| `shape.center` | object | its middle |\n"
            "| `shape.center.x` | integer | to the right |\n"
            "| `shape.center.y` | integer | up |\n"
            "| `shape.radius` | number | its size |\n"
            "| `shape.width` | integer | its size |\n");
}

}  // namespace
}  // namespace record
}  // namespace ridge
