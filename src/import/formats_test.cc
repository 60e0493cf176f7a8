// SPDX-License-Identifier: Apache-2.0
#include "import/formats.h"

#include <gtest/gtest.h>

namespace ridge::imports {
namespace {

std::string_view detected(std::string_view beginning) {
  const Format* format = detect(beginning);
  return format == nullptr ? "" : format->name;
}

TEST(ImportFormats, KeysAreFoundInAnyWayOfWriting) {
  EXPECT_EQ(detected(R"({"schemaVersion":1,"traceEvents":[)"), "kineto");
  EXPECT_EQ(detected("{\n\t\"schemaVersion\" : 1 ,\r\n \"traceEvents\" :\n ["), "kineto");
  EXPECT_EQ(detected("{ \"deviceProperties\"\n:\n [ { \"name\" : \"cut"), "kineto");
  EXPECT_EQ(detected("{\n \"report_type\" : \"detailed\""), "openvino");
  EXPECT_EQ(detected("[\n {\n  \"cat\"\n : \"Session\" , \"ph\" :\t\"X\" }"), "ort");
  EXPECT_EQ(detected("[\n {\n  \"count\"\n : 3 }"), "trtexec");
}

TEST(ImportFormats, TextsThatAreValuesAreNoKeys) {
  EXPECT_EQ(detected(R"({"note":"traceEvents","of":["report_type","\"deviceProperties\":"]})"), "");
  EXPECT_EQ(detected(R"({"about":"report_type","traceEvents":[]})"), "kineto");
}

TEST(ImportFormats, DocumentsOfRidgeAreToldByTheirSchema) {
  EXPECT_TRUE(is_own_document(R"({"schema":"ridge.profile/1","layers":[)"));
  EXPECT_TRUE(is_own_document("{\n  \"schema\" :\n\t\"ridge.profile/1\"\n}"));
  EXPECT_FALSE(is_own_document(R"({"schema":"other/1"})"));
  EXPECT_FALSE(is_own_document(R"({"text":"\"schema\":\"ridge.\""})"));
}

}  // namespace
}  // namespace ridge::imports
