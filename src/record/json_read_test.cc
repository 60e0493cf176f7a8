// SPDX-License-Identifier: Apache-2.0
#include "record/json_read.h"

#include <gtest/gtest.h>

#include "record/json_write.h"
#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

constexpr Reading kPeople{.of = Reading::Of::kPeople};

std::string written(const Made& made) { return json_text(kType<Made>, &made); }

/// The example with one part replaced.
std::string with(std::string_view part, std::string_view other) {
  std::string text = written(example());
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

template <typename T = Made>
std::string error_of(const std::string& text, const Reading& reading = {}) {
  const Result<T> read = read_json<T>(text, reading);
  return read.ok() ? "" : read.error().text();
}

/// First line of the error.
template <typename T = Made>
std::string fault(const std::string& text, const Reading& reading = {}) {
  const std::string error = error_of<T>(text, reading);
  return error.substr(0, error.find('\n'));
}

TEST(JsonRead, ReadsWhatWasWritten) {
  for (const Made& made : {example(), Made{.wait = Nanos{4}}}) {
    const Result<Made> read = read_json<Made>(written(made));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(written(*read), written(made));
    EXPECT_TRUE(same(kType<Made>, &*read, &made));
  }
}

TEST(JsonRead, TakesKeysInAnyOrderAndIgnoresUnknownOnes) {
  const Result<Box> read = read_json<Box>(R"( {"new":{"a":[1]}, "edges":[], "width":7} )");
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->width, 7);
  EXPECT_EQ(read->height, 1);
}

TEST(JsonRead, NamesThePathOfTheFirstFault) {
  EXPECT_EQ(fault(with(R"("median":12.5)", R"("median":"12")")),
            "error: layers[0].time_ns.median: number expected, got text");
  EXPECT_EQ(fault(with("[11,14]", "[11]")),
            "error: layers[0].time_ns.ci95: 2 values expected, got 1");
  EXPECT_EQ(fault(with("[11,14]", "[11,true]")),
            "error: layers[0].time_ns.ci95[1]: number expected, got true or false");
  EXPECT_EQ(fault(with(R"("percent":50)", R"("percent":101)")),
            "error: layers[1].percent: more than all");
  EXPECT_EQ(fault(with("4294967295]", "4294967296]")),
            "error: sizes[2]: integer from 0 to 4294967295 expected, got 4294967296");
  EXPECT_EQ(fault(with(R"("threads":8)", R"("threads":0)")),
            "error: threads: integer from 1 to 64 expected, got 0");
  EXPECT_EQ(fault(with(R"("threads":8)", R"("threads":1.5)")),
            "error: threads: integer from 1 to 64 expected, got 1.5");
  EXPECT_EQ(fault(with("18446744073709551615", "18446744073709551616")),
            "error: seed: integer from 0 expected, got 18446744073709551616");
  EXPECT_EQ(fault(with(R"("width":3)", R"("width":null)")),
            "error: shape.width: integer from 1 to 100 expected, got null");
  EXPECT_EQ(fault(with(R"("batch":8)", R"("batch":[])")),
            "error: bindings.batch: integer expected, got list");
  EXPECT_EQ(fault(with(R"("batch":8)", R"("seq.len":8)")),
            "error: bindings.seq.len: a name occurs twice");
  EXPECT_EQ(fault(with(R"("a":"")", R"("c":"","b":"")")), "error: options.b: a name occurs twice");
  EXPECT_EQ(fault(with("[0.5,2]", "[1,2,3,4,5]")),
            "error: shape.edges: at most 4 values expected, got 5");
  EXPECT_EQ(fault(with("[-3,4]", "[-3]")), "error: grid: 2 values expected, got 1");
  EXPECT_EQ(fault(with(R"("name":"conv")", R"("name":")" + std::string(41, 'x') + '"')),
            "error: layers[0].name: text of at most 40 bytes expected, got '" +
                std::string(39, 'x') + "…'");
  EXPECT_EQ(fault(with(R"("kind":"box")", R"("kind":"cone")")),
            "error: shape.kind: one of circle, box expected, got 'cone'");
  EXPECT_EQ(fault(with(R"("kind":"box",)", "")), "error: shape: key 'kind' is missing");
  EXPECT_EQ(fault(with(R"("half_wait_ns":42)", R"("half_wait_ns":-1)")),
            "error: half_wait_ns: no half of a wait");
  EXPECT_EQ(fault(with(R"("level":-40000)", R"("level":1001)")), "error: a level is at most 1000");
  EXPECT_EQ(fault(with(R"("color":"green",)", "")), "error: layers[0]: key 'color' is missing");
  EXPECT_EQ(fault("[]"), "error: object expected, got list");
}

TEST(JsonRead, SuggestsWords) {
  EXPECT_EQ(error_of(with("dark-blue", "darkblue")),
            "error: color: one of red, green, dark-blue expected, got 'darkblue'\n"
            "  hint: did you mean 'dark-blue'?\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(fault(with(R"("dtype":"int8")", R"("dtype":"x")")),
            "error: dtype: one of float32, int8 expected, got 'x'");
}

TEST(JsonRead, LaterFieldsAndNullsKeepDefaults) {
  Result<Made> read = read_json<Made>(with(R"(,"added":70)", ""));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->added, 7);
  read = read_json<Made>(with("18446744073709551615", "null"));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->seed, 1U);
  EXPECT_EQ(read_json<Origin>(R"({"host_name":"","tool":null})")->tool, "");
}

TEST(JsonRead, RefusesNewerDocumentsByName) {
  EXPECT_EQ(error_of(with("ridge.made/2", "ridge.made/3")),
            "error: the document is ridge.made/3, newer than ridge.made/2\n"
            "  hint: read it with a newer ridge\n"
            "  [RIDGE-REC-0005]\n");
  EXPECT_EQ(fault(with("ridge.made/2", "ridge.make/2")),
            "error: the document is 'ridge.make/2', ridge.made/2 expected");
  EXPECT_EQ(fault(with(R"("schema":"ridge.made/2",)", "")), "error: key 'schema' is missing");
}

TEST(JsonRead, FilesOfPeopleMayOmitKeysAndMustNotHaveOthers) {
  const Result<Made> read = read_json<Made>(R"({"load_per_s":2})", kPeople);
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->threads, 1);
  EXPECT_EQ(error_of(R"({"thread":2})", kPeople),
            "error: thread: unknown key 'thread'\n  hint: did you mean 'threads'?\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(error_of(R"({"load":2})", kPeople),
            "error: load: unknown key 'load'\n"
            "  hint: did you mean 'load_per_s'? the unit is in the name\n  [RIDGE-REC-0003]\n");
  EXPECT_EQ(error_of<Origin>(R"({"\n":2})", kPeople),
            "error: \\x0a: unknown key '\\x0a'\n  hint: keys are host_name, tool\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(error_of(R"({"library":"/tmp/own.so"})", kPeople),
            "error: library: no file decides 'library': it says which code is loaded\n"
            "  hint: leave it out, and state it on the command line\n"
            "  [RIDGE-REC-0006]\n");
  EXPECT_EQ(fault(R"({"layers":[{}]})", kPeople), "error: layers[0]: key 'name' is missing");
  EXPECT_EQ(fault(R"({"fast":true,"fast":false})", kPeople), "error: fast: the key occurs twice");
  EXPECT_EQ(fault(R"({"shape":{"kind":"box","radius_m":1}})", kPeople),
            "error: shape.radius_m: unknown key 'radius_m'");
}

TEST(JsonRead, WhatDecidesCodeIsNeverTaken) {
  EXPECT_EQ(read_json<Made>(with(R"("added")", R"("library":"/tmp/own.so","added")"))->library, "");
}

}  // namespace
}  // namespace ridge::record
