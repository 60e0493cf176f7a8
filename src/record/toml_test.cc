// SPDX-License-Identifier: Apache-2.0
#include "record/toml.h"

#include <gtest/gtest.h>

#include "record/json_write.h"
#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

std::string toml_error(std::string_view text) {
  const Result<Made> read = read_toml<Made>(text);
  return read.ok() ? "" : read.error().text();
}

TEST(Toml, WritesScalarsBeforeTables) {
  EXPECT_EQ(toml_text(example()), R"(schema = "ridge.made/2"
fast = true
level = -40000
seed = "18446744073709551615"
threads = 8
ratio = 0.25
load_per_s = 1.5
title = "a \"title\"\n€"
dtype = "int8"
color = "dark-blue"
half_wait_ns = 42
host_name = "elsewhere"
tool = "by hand"
sizes = [1, 2, 4294967295]
notes = ["one, two", ""]
grid = [-3, 4]
reason = "none"
host = "{\"z\":1,\"a\":[null]}"
added = 70

[shape]
kind = "box"
width = 3
height = 4
edges = [0.5, 2.0]

[[layers]]
name = "conv"
color = "green"
percent = 25.0

[layers.time_ns]
median = 12.5
ci95 = [11.0, 14.0]

[[layers]]
name = "relu"
color = "red"
percent = 50.0
parent = 0

[layers.time_ns]
median = nan

[bindings]
batch = 8
"seq.len" = -1

[options]
b = "2"
a = ""

[excess_ns]
median = 3.0
)");
}

/// Longer than a line, of blanks that the reader drops behind a line break.
std::string wide_blanks() {
  std::string out;
  for (int i = 0; i < 150; ++i) out += "\u3000\u00a0";
  return out;
}

TEST(Toml, ReadsWhatWasWritten) {
  Made made = example();
  made.layers[0].time.ci95.reset();  // deeper than base/toml.h reads
  for (const std::string& title :
       {std::string("x"), std::string(700, ' ') + "\"\\\t end",
        std::string(90, '\x01') + std::string(300, 'e') + "\"\"\"", wide_blanks()}) {
    made.title = title;
    made.sizes.assign(300, 4'000'000'000);
    const Result<Made> read = read_toml<Made>(toml_text(made));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(json_text(kType<Made>, &*read), json_text(kType<Made>, &made));
  }
}

TEST(Toml, NamesPathAndPlaceOfAFault) {
  EXPECT_EQ(toml_error("fast = true\nthreads = 65\n"),
            "error: threads, line 2, column 11: integer from 1 to 64 expected, got 65\n"
            "  hint: threads of a run\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(toml_error("[shape]\nkind = \"box\"\nwidht = 4\n"),
            "error: shape.widht, line 3, column 1: unknown key 'widht'\n"
            "  hint: did you mean 'width'?\n  [RIDGE-REC-0003]\n");
  EXPECT_EQ(toml_error("seed = 1979-05-27\n"),
            "error: line 1, column 8: a date or time is no value of any key\n"
            "  [RIDGE-REC-0007]\n");
  EXPECT_EQ(toml_error("[[layers]]\nname = 3\n").substr(0, 60),
            "error: layers[0].name, line 2, column 8: text of at most 40 ");
  EXPECT_EQ(toml_error("host = \"{\"\n").substr(0, 50),
            "error: host, line 1, column 8 > line 1, column 2: ");
}

TEST(Toml, SaysWhatKeysMean) {
  EXPECT_EQ(toml_text(Box(), Comments::kMeaning),
            "width = 1                     # size to the right; integer from 1 to 100\n"
            "height = 1                    # size upwards; integer\n"
            "edges = []                    # where it is cut; list\n");
}

}  // namespace
}  // namespace ridge::record
