#include "base/json_at.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

std::string refusal(std::string_view text) {
  std::string why;
  json_object(text, why);
  return why;
}

TEST(JsonObject, IntegersOf64BitsAreReadAsTheyAre) {
  EXPECT_EQ(refusal(R"({"a": [-9223372036854775808, 9223372036854775807, 18446744073709551615]})"),
            "");
  std::string why;
  std::optional<std::string> failure;
  const nlohmann::json document = json_object(R"({"a": -9223372036854775808})", why);
  EXPECT_EQ(JsonAt(document, failure)["a"].integer(), INT64_MIN);
  const nlohmann::json unsigned_one = json_object(R"({"a": 9223372036854775808})", why);
  EXPECT_EQ(JsonAt(unsigned_one, failure)["a"].integer(), 0);
  EXPECT_EQ(failure, "64-bit integer at /a");
}

TEST(JsonObject, IntegersThatFitIntoNo64BitsAreRefused) {
  EXPECT_EQ(refusal(R"({"a": 18446744073709551616})"),
            "the integer 18446744073709551616 does not fit into 64 bits");
  EXPECT_EQ(refusal(R"({"a":[1,-9223372036854775809]})"),
            "the integer -9223372036854775809 does not fit into 64 bits");
  EXPECT_EQ(refusal("{\"a\":" + std::string(1000, '9') + "}"),
            "the integer " + std::string(39, '9') + "\u2026 does not fit into 64 bits");
}

TEST(JsonObject, NumbersWithAFractionAndDigitsInTextsAreNoIntegers) {
  EXPECT_EQ(refusal(R"({"a": 1.8446744073709551616e30, "b": 99999999999999999999.5})"), "");
  EXPECT_EQ(refusal(R"({"a": "99999999999999999999", "99999999999999999999": "\"9" })"), "");
  EXPECT_EQ(refusal(R"({"a": "\\", "b": 99999999999999999999})"),
            "the integer 99999999999999999999 does not fit into 64 bits");
  EXPECT_EQ(refusal("{\"a\":-}"), "this is not a JSON object");
  EXPECT_EQ(refusal("\"unfinished \\"), "this is not a JSON object");
}

}  // namespace
}  // namespace ridge
