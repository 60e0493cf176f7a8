// SPDX-License-Identifier: Apache-2.0
#include "cli/document.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge::cli {
namespace {

constexpr Document<const std::string&, int> kText = {
    .table = [](const auto& text, int, Sink& sink) { sink.write(text + "\n"); },
    .csv = [](const auto& text, int, Sink& sink) { sink.write("text\n" + text + "\n"); },
    .html =
        [](const auto& text, int n, Sink& sink) {
          for (int i = 0; i < n; ++i) sink.write("<p>" + text);
        }};

std::string written(std::string_view format) {
  StringSink sink;
  kText.write(format, "hello", 2, sink);
  return sink.text();
}

TEST(Document, OffersTheFormatsThatHaveAWriter) {
  EXPECT_EQ(kText.formats(), (OfferedFormats{"table", "", "csv", "", "", "", "html"}));
}

TEST(Document, WritesEachOfferedFormatByItsWriter) {
  EXPECT_EQ(written("table"), "hello\n");
  EXPECT_EQ(written("csv"), "text\nhello\n");
  EXPECT_EQ(written("html"), "<p>hello<p>hello");
}

TEST(Document, WritesTheTableForWhatIsNotOffered) {
  EXPECT_EQ(written("json"), "hello\n");
  EXPECT_EQ(written(""), "hello\n");
}

}  // namespace
}  // namespace ridge::cli
