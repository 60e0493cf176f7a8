// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/traffic_flags.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(TrafficFlags, BytesHaveBinaryAndDecimalUnits) {
  EXPECT_EQ(*parse_bytes("--cache", "4096"), 4096);
  EXPECT_EQ(*parse_bytes("--cache", "0B"), 0);
  EXPECT_EQ(*parse_bytes("--cache", "512KiB"), 524288);
  EXPECT_EQ(*parse_bytes("--cache", "32MiB"), 33554432);
  EXPECT_EQ(*parse_bytes("--cache", "30MB"), 30'000'000);
  EXPECT_EQ(*parse_bytes("--cache", "32M"), 33554432);
  EXPECT_EQ(*parse_bytes("--cache", "2GiB"), std::int64_t{1} << 31);
}

TEST(TrafficFlags, AnyOtherTextIsAUsageError) {
  for (const char* wrong : {"", "MiB", "-1", "32X", "1.5MiB", "32 MiB", "32mib", "9999999999GiB",
                            "99999999999999999999"}) {
    const auto bytes = parse_bytes("--cache", wrong);
    ASSERT_FALSE(bytes.ok()) << wrong;
    EXPECT_EQ(bytes.error().error_class(), ErrorClass::kUsage);
  }
  EXPECT_EQ(parse_bytes("--cache", "32X").error().text(),
            "error: --cache: invalid number of bytes '32X'\n"
            "  hint: write it as --cache 32MiB, --cache 512KiB or --cache 30MB\n"
            "  [RIDGE-CLI-0104]\n");
}

TEST(TrafficFlags, AnyOfThemAsksForTraffic) {
  EXPECT_FALSE(traffic_request({})->has_value());
  const auto given = traffic_request({.cache = "1MiB", .fuse = "runtime"});
  EXPECT_EQ((*given)->model.cache_bytes, 1 << 20);
  EXPECT_EQ((*given)->model.fuse, analysis::Fuse::kRuntime);
  EXPECT_EQ((*given)->cache_from, "given");
  const auto own = traffic_request({.traffic = true});
  EXPECT_GT((*own)->model.cache_bytes, 0);
  EXPECT_NE((*own)->cache_from, "given");
}

}  // namespace
}  // namespace ridge::cli
