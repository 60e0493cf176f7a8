// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/load_flags.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(LoadFlags, ReadBatching) {
  const auto b = parse_batching("max=8,wait=2ms");
  ASSERT_TRUE(b.ok());
  EXPECT_EQ((*b)->most, 8U);
  EXPECT_EQ((*b)->wait.count, 2'000'000);
  EXPECT_TRUE((*b)->sizes.empty());
  const auto sizes = parse_batching("sizes=1/4/6,wait=0");
  ASSERT_TRUE(sizes.ok());
  EXPECT_EQ((*sizes)->most, 6U);
  EXPECT_EQ((*sizes)->sizes, (std::vector<std::uint32_t>{1, 4, 6}));
  EXPECT_FALSE(*parse_batching(""));
}

TEST(LoadFlags, RefuseBatchingThatTheyCannotRead) {
  for (const char* text : {"8", "max", "max=x", "wait=2ms", "max=8;wait=2ms", "max=8,sizes=1/x",
                           "max=4294967296", "max=0"})
    EXPECT_EQ(parse_batching(text).error().text(),
              "error: --batching '" + std::string(text) +
                  "' is invalid\n  hint: write the largest batch, and how long its first query "
                  "waits: max=8,wait=2ms; the sizes that can be run as sizes=1/4/8\n"
                  "  [RIDGE-CLI-0180]\n");
  EXPECT_EQ(parse_batching("max=8,sizes=1/4").error().code(), "RIDGE-SCEN-0102");
  EXPECT_EQ(parse_batching("max=2000").error().message(), "a batch has 1 to 1024 queries");
}

TEST(LoadFlags, ReadSharesOfModels) {
  const auto m = parse_mix("nets/a=b.onnx=0.25");
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->model, "nets/a=b.onnx");
  EXPECT_EQ(m->share, 0.25);
  for (const char* text : {"a.onnx", "=0.3", "a.onnx=", "a.onnx=1", "a.onnx=-0.1", "a.onnx=nan"})
    EXPECT_EQ(parse_mix(text).error().text(),
              "error: --mix '" + std::string(text) +
                  "' is invalid\n  hint: write another model and its share of the queries, between "
                  "0 and 1: --mix other.onnx=0.3\n  [RIDGE-CLI-0181]\n");
}

TEST(LoadFlags, ReadAWarmUpAsTimeOrNumber) {
  scenario::Scenario s;
  ASSERT_TRUE(set_warmup("2s", s).ok());
  EXPECT_EQ(s.warmup_duration.count, 2'000'000'000);
  ASSERT_TRUE(set_warmup("500", s).ok());
  EXPECT_EQ(s.warmup_queries, 500U);
  EXPECT_EQ(set_warmup("0", s).error().code(), "RIDGE-CLI-0182");
  EXPECT_FALSE(set_warmup("soon", s).ok());
}

}  // namespace
}  // namespace ridge::cli
