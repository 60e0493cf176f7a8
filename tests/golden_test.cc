// SPDX-License-Identifier: Apache-2.0
// Golden documents: each is as its schema says, and what comparing with one finds.
#include "golden.h"

#include <gtest/gtest.h>

#include "schema.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

using Findings = std::vector<std::string>;

TEST(Golden, EachSchemaHasADocumentThatIsAsDescribed) {
  const Schemas schemas(source_tree() / "data/schema");
  std::vector<std::string> described, there;
  for (const auto& path : files_in(source_tree() / "data/schema", ".json"))
    if (path.filename() != "openapi.json") described.push_back(path.filename().string());
  for (const auto& path : files_in(source_tree() / "tests/golden", ".json")) {
    there.push_back(path.filename().string());
    EXPECT_EQ(schemas.findings(there.back(), nlohmann::json::parse(read_text(path))), Findings())
        << there.back();
  }
  EXPECT_EQ(there, described);
}

Findings key_findings_of(const char* golden, const char* printed) {
  return key_findings(nlohmann::json::parse(golden), nlohmann::json::parse(printed));
}

TEST(Golden, AKeyThatDisappearsOrChangesItsTypeIsFound) {
  constexpr const char* kGolden = R"({"a":{"b.c":1,"d":"x"},"rows":[{"e":1},{"e":2,"f":true}]})";
  EXPECT_EQ(key_findings_of(kGolden, kGolden), Findings());
  EXPECT_EQ(key_findings_of(kGolden, R"({"a":{"d":"y"},"rows":[{"e":3}]})"),
            (Findings{"/a: 'b.c' is missing", "/rows/[]: 'f' is missing"}));
  EXPECT_EQ(key_findings_of(kGolden, R"({"a":{"b.c":"1","d":["y"]},"rows":[{"e":2,"f":true}]})"),
            (Findings{"/a/b.c: string instead of number", "/a/d: array instead of string"}));
  EXPECT_EQ(key_findings_of(kGolden, "{}"),
            (Findings{"document: 'a' is missing", "document: 'rows' is missing"}));
}

TEST(Golden, OtherValuesMoreKeysAndWhatIsUnknownFit) {
  constexpr const char* kGolden = R"({"a":{"b":1},"rows":[{"e":1.5,"f":null}]})";
  EXPECT_EQ(key_findings_of(kGolden, R"({"a":null,"rows":[],"more":1})"), Findings());
  EXPECT_EQ(key_findings_of(kGolden, R"({"a":{"b":null},"rows":[{"e":2,"f":"x"},{"e":-1,"f":3}]})"),
            Findings());
  EXPECT_EQ(
      key_findings_of(R"({"host":{"reasons":{"turbo":"a VM"}}})", R"({"host":{"reasons":{}}})"),
      Findings());
}

TEST(Golden, ArraysKeepWhatShowsAKeyAndFiguresOfARunAreLeftOut) {
  constexpr const char* kPrinted =
      R"({"host":{"cpu":"Zen 4"},"rows":[{"a":1},{"a":2},{"a":3},{"b":4}],"ns":[5,6,7],
          "shape":"1x64 float32","library":"/opt/x.so","notes":["3.5 of 12 are late."]})";
  EXPECT_EQ(nlohmann::json::parse(golden_text(kPrinted, Figures::kComputed)),
            nlohmann::json::parse(
                R"({"host":{"cpu":"Zen 4"},"rows":[{"a":1},{"a":2},{"b":4}],"ns":[5,6],
                    "shape":"1x64 float32","library":"/opt/x.so","notes":["3.5 of 12 are late."]})"));
  EXPECT_EQ(nlohmann::json::parse(golden_text(kPrinted, Figures::kMeasured)),
            nlohmann::json::parse(
                R"({"host":{"cpu":"host"},"rows":[{"a":1},{"a":1},{"b":1}],"ns":[1,1],
                    "shape":"1x64 float32","library":"library","notes":["1 of 1 are late."]})"));
}

}  // namespace
}  // namespace ridge::tests
