// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridge {
namespace {

using namespace std::string_view_literals;

TEST(Printable, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(printable("/layer1/conv1/Conv"), "/layer1/conv1/Conv");
  EXPECT_EQ(printable("Größe 模型 🙂"), "Größe 模型 🙂");
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b]0;title\x07z"), "a\\x1b]0;title\\x07z");
  EXPECT_EQ(printable("line\nnext\ttab\x7f"), "line\\x0anext\\x09tab\\x7f");
  EXPECT_EQ(printable("nul\0byte"sv), "nul\\x00byte");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\xc2\\x9b2J");  // CSI as one C1 character
}

TEST(Printable, EscapesCharactersThatReorderTheLine) {
  EXPECT_EQ(printable("conv\u202Evnoc"), "conv\\xe2\\x80\\xaevnoc");
}

TEST(Printable, EscapesInvalidUtf8ByteByByte) {
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");                    // overlong '/'
  EXPECT_EQ(printable("\xE0\x80\xAF"), "\\xe0\\x80\\xaf");           // overlong, three bytes
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(printable("\xE2\x82"), "\\xe2\\x82");                    // cut off
  EXPECT_EQ(printable("\xE2\x82"
                      "A"),
            "\\xe2\\x82"
            "A");  // the letter is kept
  EXPECT_EQ(printable("\xFF\x80"), "\\xff\\x80");
}

TEST(ValidUtf8, ReplacesEachInvalidByte) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b\xC3"),
            "a\uFFFDb\uFFFD");
  EXPECT_EQ(valid_utf8("Größe\n"), "Größe\n");
  EXPECT_EQ(valid_utf8("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF");  // U+10FFFF is the last one
}

TEST(Shorten, CountsCharactersNotBytes) {
  EXPECT_EQ(shorten("Größe", 5), "Größe");
  EXPECT_EQ(shorten("Größen", 5), "Größ\u2026");
  EXPECT_EQ(shorten("模型", 1), "\u2026");
  EXPECT_EQ(shorten("abc", 0), "");
  EXPECT_EQ(shorten("", 0), "");
  EXPECT_EQ(shorten_middle("encoder/layer.1/attention/output", 20), "encoder/l\u2026ion/output");
  EXPECT_EQ(shorten_middle("Größe", 5), "Größe");
  EXPECT_EQ(shorten_middle("Größen", 5), "Gr\u2026en");
  EXPECT_EQ(shorten_middle("模型名", 2), "\u2026名");
  EXPECT_EQ(shorten_middle("模型", 1), "\u2026");
  EXPECT_EQ(shorten_middle("abc", 0), "");
}

TEST(HtmlEscape, LeavesNoMarkup) {
  EXPECT_EQ(html_escape("</script><img src=x onerror=\"a('b')\">&"),
            "&lt;/script&gt;&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;");
}

TEST(HtmlEscape, DropsControlCharactersButTabAndNewline) {
  EXPECT_EQ(html_escape("a\0b\tc\nd\re\x1b"
                        "f"sv),
            "ab\tc\ndef");
  EXPECT_EQ(html_escape("\xC3("), "\uFFFD(");
}

TEST(CsvField, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(csv_field("conv1"), "conv1");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(CsvField, DisarmsFormulas) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("+x"), "'+x");
  EXPECT_EQ(csv_field("-x"), "'-x");
  EXPECT_EQ(csv_field("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_field("\t=1"), "'\t=1");
  EXPECT_EQ(csv_field("\r\n=1"), "\"'\r\n=1\"");
  EXPECT_EQ(csv_field("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
}

TEST(CsvField, EscapesWhatControlsATerminalOrReordersTheLine) {
  EXPECT_EQ(csv_field("a\x1b[2J"), "a\\x1b[2J");
  EXPECT_EQ(csv_field("a\u009bb"), "a\\xc2\\x9bb");           // C1: CSI
  EXPECT_EQ(csv_field("a\u202egpj"), "a\\xe2\\x80\\xaegpj");  // right-to-left override
  EXPECT_EQ(csv_field("a\u2066b\u2069"), "a\\xe2\\x81\\xa6b\\xe2\\x81\\xa9");  // isolates
  EXPECT_EQ(csv_field("a\u2028b"), "a\\xe2\\x80\\xa8b");  // a line separator for some readers
  // a line break for some readers; on a terminal hides the text before it
  EXPECT_EQ(csv_field("a\rb"), "a\\x0db");
  EXPECT_EQ(csv_field("a\r\nb"), "\"a\r\nb\"");
  EXPECT_EQ(csv_field("\r=1"), "\\x0d=1");
  EXPECT_EQ(csv_field("a\x9b"), "a\\x9b");  // invalid UTF-8
  EXPECT_EQ(csv_field("naïve µs"), "naïve µs");
}

TEST(Si, ShowsThreeSignificantDigits) {
  EXPECT_EQ(si(4089184256), "4.09 G");
  EXPECT_EQ(si(0), "0");
  EXPECT_EQ(si(0.25), "0.25");
  EXPECT_EQ(si(64), "64");
  EXPECT_EQ(si(999.4), "999");
  EXPECT_EQ(si(999.6), "1.00 k");
  EXPECT_EQ(si(12'345), "12.3 k");
  EXPECT_EQ(si(999'600), "1.00 M");
  EXPECT_EQ(si(-25'557'032), "-25.6 M");
  EXPECT_EQ(si(9.996e12), "10.0 T");
  EXPECT_EQ(si(2e21), "2000 E");
  EXPECT_EQ(si(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(si(std::nan("")), "nan");
}

TEST(Counted, AgreesInNumber) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(3, "process"), "3 processes");
  EXPECT_EQ(counted(1, "query"), "1 query");
  EXPECT_EQ(counted(2, "query"), "2 queries");
}

TEST(Duration, ShowsFourSignificantDigits) {
  EXPECT_EQ(duration(std::int64_t{0}), "0 ns");
  EXPECT_EQ(duration(std::int64_t{999}), "999 ns");
  EXPECT_EQ(duration(std::int64_t{1'000}), "1.000 \u00B5s");
  EXPECT_EQ(duration(std::int64_t{1'234'567}), "1.235 ms");
  EXPECT_EQ(duration(std::int64_t{12'345'678}), "12.35 ms");
  EXPECT_EQ(duration(std::int64_t{123'456'789}), "123.5 ms");
  EXPECT_EQ(duration(std::int64_t{999'960}), "1.000 ms");
  EXPECT_EQ(duration(std::int64_t{-52'000'000}), "-52.00 ms");
  EXPECT_EQ(duration(std::int64_t{3'661'000'000'000}), "3661 s");
  EXPECT_EQ(duration(std::numeric_limits<std::int64_t>::min()), "-9223372037 s");
  EXPECT_EQ(duration(1'234'567.8), "1.235 ms");
  EXPECT_EQ(duration(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(duration(1e300), "9000000000 s");
}

}  // namespace
}  // namespace ridge
