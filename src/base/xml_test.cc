// SPDX-License-Identifier: Apache-2.0
// Documents of XML: what a handler is called for, and what ends a document.
#include "base/xml.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

/// Writes what it is called for, and stops at the element <stop/>.
struct Calls : XmlHandler {
  void open(std::string_view element, const XmlAttributes& attributes) override {
    log += std::string("<") + std::string(element) + " a=" + std::string(attributes["a"]) + ">";
    if (element == "stop") stop("an element <stop/>"), stop("more of them");
  }
  void close(std::string_view element) override { log += "</" + std::string(element) + ">"; }
  void text(std::string_view piece) override { log += piece; }
  std::string log;
};

std::string fault_of(std::string_view document, std::string* log = nullptr) {
  Calls calls;
  const std::optional<XmlFault> fault = read_xml(document, calls);
  if (log != nullptr) *log = calls.log;
  return fault ? std::to_string(fault->line) + ": " + fault->what : "none";
}

TEST(Xml, ElementsComeInTheirOrderWithAttributesAndText) {
  std::string log;
  EXPECT_EQ(
      fault_of("<?xml version=\"1.0\"?>\n<n b=\"2\" a=\"1\">x &amp; y<i a='&lt;'/></n>", &log),
      "none");
  EXPECT_EQ(log, "<n a=1>x & y<i a=<></i></n>");
}

TEST(Xml, FaultsAreStatedWithTheirLine) {
  EXPECT_EQ(fault_of(""), "1: no element found");
  EXPECT_EQ(fault_of("<n>\n<i>\n</n>"), "3: mismatched tag");
  EXPECT_EQ(fault_of("<n/>\n<n/>"), "2: junk after document element");
}

TEST(Xml, AHandlerThatStopsIsNotCalledAgain) {
  std::string log;
  EXPECT_EQ(fault_of("<n>\n<stop/>text<i/></n>", &log), "2: an element <stop/>");
  EXPECT_EQ(log, "<n a=>\n<stop a=>");
}

TEST(Xml, EntitiesAndDepthAreRefused) {
  EXPECT_EQ(fault_of("<!DOCTYPE n [<!ENTITY x \"dog\">]>\n<n>&x;</n>"), "1: a document type");
  const auto nested = [](int levels) {
    std::string open, close;
    for (int i = 0; i < levels; ++i) open += "<a>", close += "</a>";
    return open + close;
  };
  EXPECT_EQ(fault_of(nested(32)), "none");
  EXPECT_EQ(fault_of(nested(33)), "1: elements nest too deep");
}

TEST(Xml, LongDocumentsAreReadInPieces) {
  std::string log;
  const std::string text(std::size_t{40} << 20, 'x');
  EXPECT_EQ(fault_of("<n>" + text + "</n>", &log), "none");
  EXPECT_TRUE(log == "<n a=>" + text + "</n>");
}

}  // namespace
}  // namespace ridge
