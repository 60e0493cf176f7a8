// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/sizes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

std::string text(const std::map<std::string, std::vector<std::int64_t>>& map) {
  std::string out;
  for (const auto& [name, values] : map) out += fmt::format("{}={} ", name, fmt::join(values, ","));
  return out;
}

std::string binds(const std::vector<std::string>& given) {
  const Result<SizeFlags> flags = parse_sizes(given, {});
  return flags.ok() ? text(flags->sizes) : flags.error().text();
}

std::string shapes(const std::vector<std::string>& given) {
  const Result<SizeFlags> flags = parse_sizes({}, given);
  return flags.ok() ? text(flags->shapes) : flags.error().text();
}

TEST(Sizes, NamesAndValues) {
  EXPECT_EQ(binds({"batch=8,sequence=128"}), "batch=8 sequence=128 ");
  EXPECT_EQ(binds({"batch=8", "a=b=2"}), "a=b=2 batch=8 ");
}

TEST(Sizes, SeveralValuesAreASweep) {
  EXPECT_EQ(binds({"batch=1,2,4,8,sequence=128"}), "batch=1,2,4,8 sequence=128 ");
  EXPECT_EQ(binds({"s=64..1024:*2"}), "s=64,128,256,512,1024 ");
  EXPECT_EQ(binds({"s=10..40:+15"}), "s=10,25,40 ");
  EXPECT_EQ(binds({"s=1..3,9"}), "s=1,2,3,9 ");
  EXPECT_EQ(binds({"s=4611686018427387904..9223372036854775807:*2"}), "s=4611686018427387904 ");
}

TEST(Sizes, ASizeMayBeZero) {
  EXPECT_EQ(binds({"past=0"}), "past=0 ");
  EXPECT_EQ(binds({"past=0,128"}), "past=0,128 ");
  EXPECT_EQ(binds({"past=0..256:+128"}), "past=0,128,256 ");
}

TEST(Sizes, ExpressionsAreNames) {
  EXPECT_EQ(binds({"past + sequence=16,batch=2"}), "batch=2 past + sequence=16 ");
  EXPECT_EQ(binds({"Max(1, s0)=4,s1=2"}), "Max(1, s0)=4 s1=2 ");
}

TEST(Sizes, NamesInStepHaveAsManyValues) {
  EXPECT_EQ(binds({"height@width=224..288:+32"}), "height=224,256,288 width=224,256,288 ");
  EXPECT_EQ(binds({"sequence@past=1@128,512@0"}), "past=128,0 sequence=1,512 ");
  EXPECT_EQ(binds({"sequence@past=1@128..512:*2,7@9,batch=2"}),
            "batch=2 past=128,256,512,9 sequence=1,1,1,7 ");
}

TEST(Sizes, PointsInStepAreNotCombinedWithEachOther) {
  const auto points = sweep_points(*parse_sizes({"a@c=1@10,2@20", "b=5,6"}, {}));
  ASSERT_TRUE(points.ok());
  std::string all;
  for (const analysis::Bindings& p : *points)
    all += fmt::format("{}/{}/{} ", p.sizes.at("a").value, p.sizes.at("b").value,
                       p.sizes.at("c").value);
  EXPECT_EQ(all, "1/5/10 1/6/10 2/5/20 2/6/20 ");
}

TEST(Sizes, Shapes) {
  EXPECT_EQ(shapes({"input=1x3x224x224", "mask=1,128", "scalar="}),
            "input=1,3,224,224 mask=1,128 scalar= ");
  EXPECT_EQ(shapes({"empty=0x4"}), "empty=0,4 ");
}

TEST(Sizes, WhatIsNoSizeIsRefusedWithTheForm) {
  EXPECT_EQ(binds({"batch=x"}), R"(error: --bind batch=x: invalid integer 'x'
  hint: write it as --bind batch=8,sequence=128, several values as batch=1,2,4 or sequence=64..1024:*2, names in step as height@width=224,256
  [RIDGE-CLI-0101]
)");
  EXPECT_EQ(shapes({"1x3x224x224"}), R"(error: --shape 1x3x224x224: missing name of the input
  hint: write it as --shape input=1x3x224x224
  [RIDGE-CLI-0101]
)");
}

TEST(Sizes, EveryWrongFormIsAUsageError) {
  for (const char* wrong : {"",
                            "batch",
                            "batch=",
                            "=8",
                            "batch=-1",
                            "batch=1,batch=2",
                            "8,batch=8",
                            "batch=8,",
                            "b=9..1",
                            "b=1..9:*1",
                            "b=1..9:+0",
                            "b=1..9:",
                            "b=1..",
                            "b=..9",
                            "b=1..9:x2",
                            "b=1..100000",
                            "b=99999999999999999999",
                            "b=0..8:*2",
                            "a@b=1@2@3",
                            "a@a=1",
                            "a@=1",
                            "@=1",
                            "a@b=1,2,b=3",
                            "a@b=1..3@1..2",
                            "a@b=1@"}) {
    const Result<SizeFlags> flags = parse_sizes({wrong}, {});
    ASSERT_FALSE(flags.ok()) << wrong;
    EXPECT_EQ(flags.error().error_class(), ErrorClass::kUsage);
  }
  for (const char* wrong : {"x=1xx2", "x=1x-2", "x=a", "x=1x", "=1"})
    EXPECT_FALSE(parse_sizes({}, {wrong}).ok()) << wrong;
}

TEST(Sizes, AVerbForOnePointTakesNoSweep) {
  EXPECT_EQ(single_point(*parse_sizes({"batch=1,2"}, {})).error().text(),
            R"(error: --bind batch: 2 values, but this verb takes one
  hint: 'ridge analyze', 'profile' and 'roofline' take several; run this verb once per value
  [RIDGE-CLI-0102]
)");
  EXPECT_EQ(single_point(*parse_sizes({"batch=2"}, {"x=1x3"}))->sizes.at("batch").value, 2);
}

TEST(Sizes, SweepPointsAreEveryCombination) {
  const auto points = sweep_points(*parse_sizes({"batch=1,2", "s=8,16,32"}, {"x=1x3"}));
  ASSERT_TRUE(points.ok());
  std::string all;
  for (const analysis::Bindings& p : *points)
    all += fmt::format("{}x{} ", p.sizes.at("batch").value, p.sizes.at("s").value);
  EXPECT_EQ(all, "1x8 1x16 1x32 2x8 2x16 2x32 ");
  EXPECT_EQ(points->front().shapes.at("x").size(), 2U);
  EXPECT_FALSE(sweep_points(*parse_sizes({"a=1..100,b=1..100"}, {})).ok());
}

}  // namespace
}  // namespace ridge::cli
