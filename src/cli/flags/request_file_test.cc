// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/request_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/flags/flag_parser.h"

namespace ridge::cli {
namespace {

struct Options {
  std::string model, format, output, request;
  std::vector<std::string> binds, runtime_options, range, runtimes;
  std::uint32_t runs = 1;
  bool strict = false;
};

void add_flags(Flags& flags, Options& o) {
  flags.add("MODEL", o.model, "a model").required();
  flags.add("-f,--format", o.format, "a format");
  flags.add("--bind", o.binds, "sizes").single();
  flags.add("--runs", o.runs, "number of runs").range(1, 64);
  flags.add("--strict", o.strict, "strictly");
  flags.add("--between", o.range, "two ends").count(2, 2);
  flags.add("--runtime-option", o.runtime_options, "an option").single();
  flags.add("--runtime", o.runtimes, "names, or paths of plug-ins").separator(',');
  flags.add("--output", o.output, "a file").writes(Writes::kFile);
  add_request_flag(flags, o.request);
}

Result<std::vector<std::string>> completed(std::string_view text,
                                           const std::vector<std::string>& line = {}) {
  Options options;
  Flags flags;
  add_flags(flags, options);
  flags.rows()[0].is_required = false;
  parse(flags, line);
  return with_request(text, text.starts_with('{'), "profile", flags, line);
}

std::string refusal(std::string_view text) { return completed(text).error().text(); }

TEST(RequestFile, GivesEachFlagItsValue) {
  constexpr std::string_view kToml =
      "schema = \"ridge.request/1\"\nverb = \"profile\"\nmodel = \"a b.onnx\"\n"
      "bind = [\"batch=1\", \"n=-2\"]\nruns = 3\nstrict = true\nbetween = [0.25, 4]\n"
      "runtime_option = \"session.inter_op.allow_spinning=0\"\n";
  constexpr std::string_view kJson =
      R"({"schema":"ridge.request/1","verb":"profile","model":"a b.onnx",)"
      R"("bind":["batch=1","n=-2"],"runs":3,"strict":true,"between":[0.25,4],)"
      R"("runtime_option":"session.inter_op.allow_spinning=0"})";
  for (const std::string_view text : {kToml, kJson}) {
    Options options;
    Flags flags;
    add_flags(flags, options);
    const auto arguments = completed(text);
    ASSERT_TRUE(arguments.ok()) << arguments.error().text();
    const Parsed parsed = parse(flags, *arguments);
    EXPECT_EQ(parsed.error.value_or(""), "");
    EXPECT_EQ(options.model, "a b.onnx");
    EXPECT_EQ(options.binds, (std::vector<std::string>{"batch=1", "n=-2"}));
    EXPECT_EQ(options.range, (std::vector<std::string>{"0.25", "4"}));
    EXPECT_EQ(options.runs, 3U);
    EXPECT_TRUE(options.strict);
    EXPECT_EQ(options.runtime_options,
              std::vector<std::string>{"session.inter_op.allow_spinning=0"});
  }
}

TEST(RequestFile, TheCommandLineComesFirst) {
  const auto arguments =
      completed("model = \"file.onnx\"\nruns = 3\nformat = \"csv\"\n", {"own.onnx", "--runs=4"});
  ASSERT_TRUE(arguments.ok());
  EXPECT_EQ(*arguments, (std::vector<std::string>{"--format=csv", "own.onnx", "--runs=4"}));
}

TEST(RequestFile, FalseLeavesASwitchOff) {
  const auto arguments = completed("strict = false\n");
  ASSERT_TRUE(arguments.ok());
  EXPECT_EQ(*arguments, std::vector<std::string>());
}

TEST(RequestFile, DecidesNeitherCodeNorPlaces) {
  EXPECT_EQ(refusal("runtime = \"ort,/tmp/own.so\"\n"),
            "error: line 1, column 1: no request decides 'runtime': it says which code is loaded\n"
            "  hint: leave it out, and state it on the command line\n  [RIDGE-WB-0395]\n");
  EXPECT_TRUE(completed("runtime = \"ort,openvino\"\n").ok());
  EXPECT_EQ(refusal("{\"output\":\"/etc/passwd\"}"),
            "error: no file decides 'output': it says where files are written\n"
            "  hint: leave it out, and state it on the command line\n  [RIDGE-CLI-0007]\n");
  for (const std::string_view key : {"runtime-option", "runtime_option"}) {
    const auto option = completed(fmt::format("{} = \"ep.context_file_path=x\"\n", key));
    ASSERT_FALSE(option.ok()) << key;
    EXPECT_EQ(option.error().code(), "RIDGE-RT-0090") << key;
  }
  EXPECT_EQ(completed("request = \"other.toml\"\n").error().code(), "RIDGE-CLI-0008");
}

TEST(RequestFile, NamesWhatIsWrong) {
  EXPECT_EQ(refusal("\nrun = 3\n"),
            "error: line 2, column 1: ridge profile has no flag or argument 'run'\n"
            "  hint: did you mean 'runs'?\n  [RIDGE-CLI-0008]\n");
  EXPECT_EQ(refusal("verb = \"eval\"\n"),
            "error: line 1, column 1: verb is 'eval', 'profile' expected\n  [RIDGE-CLI-0006]\n");
  EXPECT_EQ(refusal("{\"schema\":\"ridge.request/2\"}"),
            "error: schema is 'ridge.request/2', 'ridge.request/1' expected\n"
            "  [RIDGE-CLI-0006]\n");
  for (const std::string_view text :
       {"strict = 1\n", "runs = true\n", "model = false\n", "runs = [[1]]\n", "[runs]\na = 1\n",
        "{\"runs\":null}", "{\"runs\":{}}", "{\"runs\":1,\"runs\":2}"})
    EXPECT_EQ(completed(text).error().code(), "RIDGE-CLI-0006") << text;
}

TEST(RequestFile, PathIsFoundInBothSpellings) {
  using Line = std::vector<std::string>;
  EXPECT_EQ(request_path(Line{"m.onnx", "--request", "a.toml"}), "a.toml");
  EXPECT_EQ(request_path(Line{"--request=b.json", "m.onnx"}), "b.json");
  EXPECT_EQ(request_path(Line{"--", "--request", "a.toml"}), "");
  EXPECT_EQ(request_path(Line{"m.onnx"}), "");
}

}  // namespace
}  // namespace ridge::cli
