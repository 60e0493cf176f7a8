// SPDX-License-Identifier: Apache-2.0
#include "record/settings.h"

#include <gtest/gtest.h>

#include "record/json_write.h"
#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

std::string text_of(const Made& made) {
  std::string out;
  for (const Setting& s : settings(kType<Made>, &made)) out += s.name + '=' + s.value + '\n';
  return out;
}

std::string setting_error(std::string_view name, std::string_view value) {
  Made made;
  const Result<void> done = set(kType<Made>, &made, name, value);
  return done.ok() ? "" : done.error().text();
}

TEST(Settings, AreFlat) {
  Made made = example();
  made.title = "t";
  made.layers.erase(made.layers.begin());
  EXPECT_EQ(text_of(made), R"(fast=true
level=-40000
seed=18446744073709551615
threads=8
ratio=0.25
load_per_s=1.5
title=t
dtype=int8
color=dark-blue
half_wait_ns=42
shape.kind=box
shape.width=3
shape.height=4
shape.edges=0.5,2
host_name=elsewhere
tool=by hand
layers=[{"name":"relu","color":"red","time_ns":{"median":null,"ci95":null},"percent":50,"parent":0}]
sizes=1,2,4294967295
notes=["one, two",""]
grid=-3,4
bindings.batch=8
bindings.seq.len=-1
options.b=2
options.a=
excess_ns.median=3
reason=none
host={"z":1,"a":[null]}
added=70
)");
}

TEST(Settings, RefuseWhatIsNoText) {
  EXPECT_NE(setting_error("title", "\xff").find("'title' cannot be '\\xff'"), std::string::npos);
  EXPECT_NE(setting_error("options.\xff", "1").find("unknown"), std::string::npos)
      << setting_error("options.\xff", "1");
}

TEST(Settings, SetWhatWasWritten) {
  const Made made = example();
  Made read;
  for (const Setting& s : settings(kType<Made>, &made)) {
    const Result<void> done = set(kType<Made>, &read, s.name, s.value);
    ASSERT_TRUE(done.ok()) << done.error().text();
  }
  EXPECT_EQ(json_text(kType<Made>, &read), json_text(kType<Made>, &made));
}

TEST(Settings, SetInnerMembers) {
  Made made;
  ASSERT_TRUE(set(kType<Made>, &made, "excess_ns.ci95.high", "5").ok());
  EXPECT_EQ(made.excess.value().ci95.value().high, 5);
  ASSERT_TRUE(set(kType<Made>, &made, "sizes", "").ok());
  ASSERT_TRUE(set(kType<Made>, &made, "bindings.a.b", "5").ok());
  ASSERT_TRUE(set(kType<Made>, &made, "bindings.a.b", "6").ok());
  EXPECT_EQ(made.bindings.at("a.b"), 6);
}

TEST(Settings, SayWhatIsWrong) {
  EXPECT_EQ(setting_error("threads", "65"),
            "error: 'threads' cannot be '65': integer from 1 to 64 expected\n"
            "  [RIDGE-REC-0009]\n");
  EXPECT_EQ(setting_error("shape.radius", "65"),
            "error: unknown key 'shape.radius'\n  hint: did you mean 'shape.radius_m'?\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(setting_error("shape.kind", "cone"),
            "error: 'shape.kind' cannot be 'cone': one of circle, box expected\n"
            "  [RIDGE-REC-0009]\n");
  EXPECT_EQ(setting_error("sizes", "1,,2"),
            "error: 'sizes' cannot be '1,,2': integer from 0 to 4294967295, separated by commas, "
            "expected\n  [RIDGE-REC-0009]\n");
  EXPECT_EQ(setting_error("library", "/tmp/own.so").substr(0, 35),
            "error: no file decides 'library': i");
  EXPECT_NE(setting_error("shape", "3"), "");
  EXPECT_NE(setting_error("", "3"), "");
}

}  // namespace
}  // namespace ridge::record
