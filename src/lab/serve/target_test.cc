// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/target.h"

#include <gtest/gtest.h>

namespace ridge::lab::serve {
namespace {

/// "path|name=value|..." of a target, or the text of its error.
std::string parsed(std::string_view text) {
  const auto target = parse_target(text);
  if (!target.ok()) return target.error().message() + ": " + target.error().evidence();
  std::string out = target->path();
  for (const auto& [name, value] : target->query) out += "|" + name + "=" + value;
  return out;
}

TEST(Target, HasSegmentsAndSettings) {
  EXPECT_EQ(parsed("/"), "/");
  EXPECT_EQ(parsed("/api/v1/runs/7"), "/api/v1/runs/7");
  EXPECT_EQ(parsed("/?a=1&b=x+y&&a=%C3%BC%26&c"), "/|a=1|b=x y|a=ü&|c=");
  EXPECT_EQ(parsed("/mod%65l?q=%2e%2e%2f"), "/model|q=../");
}

TEST(Target, OfAnotherFolderIsRefusedHoweverItIsWritten) {
  const std::pair<const char*, const char*> kCases[] = {
      {"/../etc/passwd", "'.' or '..' as a part"},
      {"/a/..", "'.' or '..' as a part"},
      {"/./a", "'.' or '..' as a part"},
      {"/%2e%2e/etc", "'.' or '..' as a part"},
      {"/%2E./etc", "'.' or '..' as a part"},
      {"/..%2fetc", "a slash, backslash or % inside a part"},
      {"/%252e%252e/etc", "a slash, backslash or % inside a part"},
      {"/..\\etc", "a slash, backslash or % inside a part"},
      {"/%5c..%5cetc", "a slash, backslash or % inside a part"},
      {"/%c0%ae%c0%ae/etc", "it is not UTF-8"},
      {"/%e0%80%ae", "it is not UTF-8"},
      {"//etc/passwd", "an empty part"},
      {"/a/", "an empty part"},
      {"/a%00", "a control character"},
      {"/a%0d%0aX: y", "a control character"},
      {"/%", "a % without two hexadecimal digits"},
      {"/%2", "a % without two hexadecimal digits"},
      {"/%u002e", "a % without two hexadecimal digits"},
      {"etc", "it does not begin with a slash"},
      {"http://elsewhere/", "it does not begin with a slash"},
      {"", "it does not begin with a slash"},
  };
  for (const auto& [text, why] : kCases) {
    const auto target = parse_target(text);
    ASSERT_FALSE(target.ok()) << text;
    EXPECT_EQ(target.error().evidence(), why) << text;
  }
}

TEST(Target, HasLimits) {
  EXPECT_TRUE(parse_target("/" + std::string(kLongestTarget - 1, 'a')).ok());
  EXPECT_EQ(parse_target("/" + std::string(kLongestTarget, 'a')).error().evidence(),
            "it has more than 4096 bytes");
  std::string many = "/?";
  for (std::size_t i = 0; i < kMostSettings; ++i) many += "a=1&";
  EXPECT_TRUE(parse_target(many).ok());
  EXPECT_EQ(parse_target(many + "a=1").error().message(), "a query of more than 64 settings");
}

TEST(Target, ThatIsHostileIsShownAsText) {
  EXPECT_EQ(
      parsed("/?\x1b[31m=%zz"),
      "the setting '\\x1b[31m=%zz' of the query cannot be read: percent-encoded UTF-8 without "
      "control characters is expected");
  EXPECT_FALSE(parse_target("/?a=%ff").ok());
  EXPECT_FALSE(parse_target("/?a=%0a").ok());
}

TEST(Cookie, IsFoundByItsWholeName) {
  EXPECT_EQ(cookie_value("a=1; ridge-80=x; b=2", "ridge-80"), "x");
  EXPECT_EQ(cookie_value("ridge-80=", "ridge-80"), "");
  EXPECT_EQ(cookie_value("ridge-808=x", "ridge-80"), std::nullopt);
  EXPECT_EQ(cookie_value("xridge-80=x", "ridge-80"), std::nullopt);
  EXPECT_EQ(cookie_value("", "ridge-80"), std::nullopt);
}

TEST(Cookie, ThatIsThereTwiceIsNone) {
  EXPECT_EQ(cookie_value("ridge-80=x; ridge-80=y", "ridge-80"), std::nullopt);
}

TEST(Bearer, IsTheWholeRest) {
  EXPECT_EQ(bearer_token("Bearer abc "), "abc");
  EXPECT_EQ(bearer_token("bearer abc"), std::nullopt);
  EXPECT_EQ(bearer_token("Basic abc"), std::nullopt);
}

TEST(Secret, IsEqualToItselfAlone) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
}

}  // namespace
}  // namespace ridge::lab::serve
