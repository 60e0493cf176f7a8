// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ridge::cli {
namespace {

Run setup_greet(Flags& flags) {
  auto name = std::make_shared<std::string>();
  flags.add("NAME", *name, "whom to greet").required();
  flags.add(
      "--loud", [] {}, "how loud");
  return [name](Console& console) {
    if (*name == "bug") throw std::runtime_error("broken");
    if (*name == "memory") throw std::bad_alloc();
    console.out.write("hello " + *name + "\n");
    return kDone;
  };
}

Run setup_never(Flags&) { throw std::logic_error("set up though not asked for"); }

constexpr Verb kVerbs[] = {
    {"greet", "Says hello.", "ridge greet world    # politely\nridge greet world --loud\n",
     setup_greet},
    {"never", "Is never asked for.", "ridge never\n", setup_never},
};

struct AppOutcome {
  int status;
  std::string out, err;
};

AppOutcome ran(const std::vector<std::string>& arguments) {
  StringSink out, err;
  Console console{out, err};
  const int status = run_program(arguments, kVerbs, console);
  return {status, out.text(), err.text()};
}

TEST(App, RunsTheVerbThatIsNamed) {
  const AppOutcome o = ran({"greet", "you"});
  EXPECT_EQ(o.status, kDone);
  EXPECT_EQ(o.out, "hello you\n");
  EXPECT_EQ(o.err, "");
}

TEST(App, HelpBeginsWithExamples) {
  EXPECT_TRUE(
      ran({}).out.starts_with("Examples:\n  ridge greet world    # politely\n  ridge never\n"));
  EXPECT_TRUE(ran({"--help"}).out.starts_with("Examples:\n"));
  const AppOutcome o = ran({"greet", "--help"});
  EXPECT_TRUE(o.out.starts_with(
      "Examples:\n  ridge greet world    # politely\n  ridge greet world --loud\n\nSays hello.\n"))
      << o.out;
  EXPECT_NE(o.out.find("--loud"), std::string::npos);
  EXPECT_EQ(ran({"help", "greet"}).out, o.out);
  EXPECT_EQ(o.status, kDone);
}

TEST(App, SaysItsVersion) { EXPECT_TRUE(ran({"--version"}).out.starts_with("ridge ")); }

TEST(App, AnUnknownVerbGetsTheNearOne) {
  const AppOutcome o = ran({"gret"});
  EXPECT_EQ(o.status, kUsage);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(
      o.err,
      "error: unknown verb 'gret'\n  hint: did you mean 'ridge greet'?\n  [RIDGE-CLI-0001]\n");
  EXPECT_EQ(ran({"zzzzzzzz"}).err,
            "error: unknown verb 'zzzzzzzz'\n  hint: available verbs: greet, never\n  "
            "[RIDGE-CLI-0001]\n");
}

TEST(App, WrongOptionsAreUsageErrorsThatSayWhatWasMeant) {
  const AppOutcome o = ran({"greet", "you", "--lod"});
  EXPECT_EQ(o.status, kUsage);
  EXPECT_EQ(o.err,
            "error: ridge greet: The following argument was not expected: --lod\n  hint: did you "
            "mean --loud?\n  [RIDGE-CLI-0002]\n");
  EXPECT_EQ(ran({"greet"}).err,
            "error: ridge greet: NAME is required\n  hint: ridge greet --help lists the options\n  "
            "[RIDGE-CLI-0002]\n");
}

TEST(App, WhatIsThrownIsContained) {
  EXPECT_EQ(ran({"greet", "bug"}).status, kBug);
  EXPECT_EQ(ran({"greet", "memory"}).status, kEnvironment);
}

}  // namespace
}  // namespace ridge::cli
