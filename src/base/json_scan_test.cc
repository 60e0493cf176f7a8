// SPDX-License-Identifier: Apache-2.0
#include "base/json_scan.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

std::vector<std::string> names(std::string_view text, Damage* damage = nullptr) {
  JsonScan scan(text);
  JsonEvents events(scan);
  std::vector<std::string> out;
  while (events.next()) out.push_back(events.find("name").unescaped());
  if (damage != nullptr) *damage = events.damage();
  return out;
}

using Names = std::vector<std::string>;

TEST(JsonScan, EventsHaveTheirMembersAndThoseOfTheirArguments) {
  JsonScan scan(R"([{"name":"a","ts":1.5,"args":{"bytes":7,"deep":{"x":[1,{}]}},"ok":true}])");
  JsonEvents events(scan);
  ASSERT_TRUE(events.next());
  ASSERT_EQ(events.fields().size(), 5U);
  EXPECT_EQ(events.fields()[2].key, "bytes");
  EXPECT_TRUE(events.fields()[2].argument);
  EXPECT_EQ(events.fields()[3].value.text, R"({"x":[1,{}]})");
  EXPECT_EQ(events.find("ts").kind, JsonValue::Kind::kNumber);
  EXPECT_EQ(events.find("bytes").kind, JsonValue::Kind::kNone);
  EXPECT_FALSE(events.next());
  EXPECT_FALSE(events.damage().any());
}

TEST(JsonScan, EscapesAreResolved) {
  EXPECT_EQ(names(R"([{"name":"a\"b\\\n\u00e9\ud83d\ude00\q"}])"),
            Names{"a\"b\\\n\xc3\xa9\xf0\x9f\x98\x80\\q"});
}

TEST(JsonScan, NamesMayBeWrittenUnescaped) {
  EXPECT_EQ(names("[{\"name\":\"a\"b\"\"}]"), Names{"a\"b\""});
}

TEST(JsonScan, StrayCommasAreCountedAndPassedOver) {
  Damage damage;
  EXPECT_EQ(names("[,{\"name\":\"a\",},,{\"name\":\"b\"},]", &damage), (Names{"a", "b"}));
  EXPECT_EQ(damage.stray_commas, 3);
  EXPECT_FALSE(damage.any());
}

TEST(JsonScan, AnEventThatCannotBeReadIsDroppedAlone) {
  Damage damage;
  EXPECT_EQ(names("[\n{\"name\":\"a\"},\n{\"name\":\"x\",\"y\"},\n{\"name\":\"b\"}]", &damage),
            (Names{"a", "b"}));
  EXPECT_EQ(damage.dropped, 1);
  EXPECT_EQ(damage.first_at, 16U);
}

TEST(JsonScan, WhatIsCutOffSaysSo) {
  for (const char* text : {"[{\"name\":\"a\"}", "[{\"name\":\"a\"},\n{\"name\":\"b",
                           "[{\"name\":\"a\"},{\"args\":{\"x\":[[[", "[{\"name\":\"a\"},"}) {
    Damage damage;
    EXPECT_EQ(names(text, &damage), Names{"a"}) << text;
    EXPECT_TRUE(damage.cut_off) << text;
  }
}

TEST(JsonScan, DecimalsScaleExactly) {
  EXPECT_EQ(scaled_decimal("12.3456", 1000), 12346);
  EXPECT_EQ(scaled_decimal("6081504337112.123", 1000), 6081504337112123);
  EXPECT_EQ(scaled_decimal("-0.0015", 1000), -2);
  EXPECT_EQ(scaled_decimal("7", 1), 7);
  EXPECT_EQ(scaled_decimal("1.2e-05", 1'000'000), 12);
  for (const char* text : {"", "a", "1x", "99999999999999999999", "9e99", "nan", "1.2.3"})
    EXPECT_EQ(scaled_decimal(text, 1000), std::nullopt) << text;
}

}  // namespace
}  // namespace ridge
