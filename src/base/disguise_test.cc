// SPDX-License-Identifier: Apache-2.0
#include "base/disguise.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/sink.h"
#include "base/text.h"

namespace ridge {
namespace {

/// UTF-8 of a code point of the basic plane, by the rule of RFC 3629.
std::string utf8(unsigned code) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

/// C1 controls, and Unicode's bidirectional controls (UAX 9), separators and byte-order mark.
bool acts_on_a_terminal(unsigned code) {
  return (code >= 0x80 && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F || code == 0x061C ||
         code == 0x2028 || code == 0x2029 || code == 0xFEFF;
}

TEST(Disguise, EveryCharacterOfTheBasicPlaneComesBackAndNoneActsOnATerminal) {
  for (unsigned code = 1; code < 0x10000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;  // surrogates
    const std::string character = utf8(code);
    StringSink sink;
    JsonWriter(sink).value("a" + character + "b");
    const bool raw = sink.text().find(character) != std::string::npos;
    ASSERT_EQ(nlohmann::json::parse(sink.text()), "a" + character + "b") << code;
    if (code < 0x80) continue;
    ASSERT_EQ(raw, !acts_on_a_terminal(code)) << code << " " << sink.text();
  }
}

TEST(Disguise, JsonThatIsCopiedIsEscapedToo) {
  StringSink sink;
  JsonWriter(sink).raw("{\"host\":\"a\u202Eb\u009B2Jä\"}");
  EXPECT_EQ(sink.text(), "{\"host\":\"a\\u202eb\\u009b2Jä\"}");
}

TEST(Disguise, HtmlShowsThem) {
  EXPECT_EQ(html_escape("net\u202Egpj"), "net\\xe2\\x80\\xaegpj");
  EXPECT_EQ(html_escape("a\u009B2Jb\u2066c"), "a2Jb\\xe2\\x81\\xa6c");
  EXPECT_EQ(html_escape("größe 模型"), "größe 模型");
}

}  // namespace
}  // namespace ridge
