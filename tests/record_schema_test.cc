// SPDX-License-Identifier: Apache-2.0
// Schemas that follow from described types (src/record): a document of the type is as its schema
// says, and one that is not is found out.
#include <gtest/gtest.h>

#include "base/sink.h"
#include "record/json_write.h"
#include "record/schema.h"
#include "record/testing/made.h"
#include "schema.h"

namespace ridge::tests {
namespace {

using record::testing::Made;
using Findings = std::vector<std::string>;

Findings findings(const std::string& document) {
  StringSink schema;
  record::write_schema(record::kType<Made>, schema);
  return Schemas({{"made", schema.text()}}).findings("made", nlohmann::json::parse(document));
}

TEST(RecordSchema, DocumentsAreAsDescribed) {
  for (const Made& made : {record::testing::example(), Made()})
    EXPECT_EQ(findings(record::json_text(record::kType<Made>, &made)), Findings());
}

TEST(RecordSchema, OthersAreNot) {
  const Made made = record::testing::example();
  std::string document = record::json_text(record::kType<Made>, &made);
  const std::string part = R"("color":"green")";
  document.replace(document.find(part), part.size(), R"("color":"pink")");
  EXPECT_EQ(findings(document),
            Findings{R"(layers[0].color: "pink" is none of ["red","green","dark-blue"])"});
}

}  // namespace
}  // namespace ridge::tests
