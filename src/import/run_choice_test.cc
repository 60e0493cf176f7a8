// SPDX-License-Identifier: Apache-2.0
// Runs of unequal sizes in one recording. Oracles: recordings written out below, summed by hand.
#include "import/run_choice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "import/testing.h"

namespace ridge::imports {
namespace {

using profile::Profile;

std::vector<RunSize> decoder() { return {{{1, 128, 8}}, {{1, 1, 8}}, {{1, 1, 8}}, {{1, 64, 8}}}; }

std::string chosen(std::string_view choice, const std::vector<RunSize>& runs) {
  std::vector<std::string> notes;
  const auto keep = chosen_runs(choice, runs, notes);
  if (!keep.ok()) return keep.error().code();
  std::string out;
  for (const bool kept : *keep) out += kept ? '1' : '0';
  return out;
}

TEST(RunChoice, DecodeIsTheFewestElementsAndPrefillTheRest) {
  EXPECT_EQ(chosen("decode", decoder()), "0110");
  EXPECT_EQ(chosen("prefill", decoder()), "1001");
  EXPECT_EQ(chosen("2", decoder()), "0100");
  EXPECT_EQ(chosen("2..4", decoder()), "0111");
}

TEST(RunChoice, WhatFitsNoRunIsRefused) {
  for (const std::string_view choice : {"5", "0", "3..2", "2..9", "later", "", "1..", "-1"})
    EXPECT_EQ(chosen(choice, decoder()), "RIDGE-IMP-0015") << choice;
  EXPECT_EQ(chosen("decode", {{{1, 1, 8}}, {{1, 1, 8}}}), "RIDGE-IMP-0015");  // all alike
  EXPECT_EQ(chosen("prefill", {{}, {}}), "RIDGE-IMP-0015");                   // sizes unknown
}

constexpr std::string_view kDecoder = R"(graph main
  input x[1,tokens,4]
  constant w[4,4]
  mm: MatMul(x, w) -> m
  act: Relu(m) -> y
  output y
)";

/// ONNX Runtime's recording: run 1 of 8 tokens, runs 2 and 3 of one.
std::string recording_of_runs() {
  std::string out = "[";
  int at = 0;
  for (const int tokens : {8, 1, 1}) {
    const std::string shape = "[{\"float\":[1," + std::to_string(tokens) + ",4]}]";
    for (const std::string_view name : {"mm", "act"}) {
      out += R"({"cat":"Node","tid":1,"ph":"X","dur":)" + std::to_string(10 * tokens) +
             ",\"ts\":" + std::to_string(at + (name == "mm" ? 0 : 100)) + R"(,"name":")" +
             std::string(name) + R"(_kernel_time","args":{"op_name":")" +
             (name == "mm" ? "MatMul" : "Relu") + R"(","output_type_shape":)" + shape + "}},\n";
    }
    out += R"({"cat":"Session","tid":1,"ph":"X","dur":300,"ts":)" + std::to_string(at) +
           R"(,"name":"model_run"},)";
    at += 1000;
  }
  out.back() = ']';
  return out;
}

Profile of_runs(const std::string& text, const std::string& runs,
                const std::shared_ptr<const graph::Model>& model) {
  const Written file(text);
  const auto read = import_file(file.path(), {.model = ImportModel{model}, .runs = runs});
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? read->profile : Profile();
}

TEST(RunChoice, ARecordingOfOnnxRuntimeIsThatOfTheChosenRuns) {
  const auto model = std::make_shared<const graph::Model>(
      graph::Model::build(graph::Sketch::document(kDecoder)).value());
  const Profile decode = of_runs(recording_of_runs(), "decode", model);
  EXPECT_EQ(decode.layers[0].runs_ns, (std::vector<std::int64_t>{10'000, 10'000}));
  EXPECT_EQ(decode.layers[0].work.macs, 16);
  EXPECT_TRUE(says(decode, "--runs decode: run 2 to 3 of 3"));
  const Profile prefill = of_runs(recording_of_runs(), "prefill", model);
  EXPECT_EQ(prefill.layers[0].runs_ns, std::vector<std::int64_t>{80'000});
  EXPECT_EQ(prefill.layers[0].work.macs, 8 * 16);
  // All runs together have no size that could be bound.
  const Written file(recording_of_runs());
  const Error error = import_file(file.path(), {.model = ImportModel{model}}).error();
  EXPECT_EQ(error.code(), "RIDGE-ANA-0101");
  EXPECT_EQ(error.hint(),
            "the runs of the recording differ in tokens: --runs prefill, decode or N chooses "
            "some, or --bind gives the size");
}

TEST(RunChoice, StepsOfATraceOfPyTorchAreChosenTheSameWay) {
  const auto model = std::make_shared<const graph::Model>(
      graph::Model::build(graph::Sketch::document(kDecoder)).value());
  std::string text = "[";
  int step = 0;
  for (const int tokens : {8, 1}) {
    const int at = 1000 * step;
    const std::string shape = "[1," + std::to_string(tokens) + ",4]";
    const auto event = [&](std::string_view cat, const std::string& name, int ts, int dur,
                           const std::string& args) {
      text += fmt::format(
          R"({{"ph":"X","pid":1,"tid":1,"cat":"{}","name":"{}","ts":{},"dur":{},"args":{{{}}}}},)"
          "\n",
          cat, name, ts, dur, args);
    };
    event("user_annotation", "ProfilerStep#" + std::to_string(step), at, 500, "");
    event("cpu_op", "aten::matmul", at + 10, 20 * tokens, "\"Input Dims\":[" + shape + ",[4,4]]");
    event("cpu_op", "aten::relu", at + 300, 10 * tokens, "\"Input Dims\":[" + shape + "]");
    ++step;
  }
  text.replace(text.size() - 2, 2, "]");
  const Profile decode = of_runs(text, "decode", model);
  EXPECT_EQ(decode.layers[0].runs_ns, std::vector<std::int64_t>{20'000});
  EXPECT_EQ(decode.layers[0].work.macs, 16);
  EXPECT_EQ(of_runs(text, "1", model).layers[0].work.macs, 8 * 16);
  const Written file(text);
  EXPECT_EQ(import_file(file.path(), {.runs = "3"}).error().code(), "RIDGE-IMP-0015");
}

TEST(RunChoice, AFormatWithoutRunsRefusesIt) {
  const Written file(R"([{"count":1},{"name":"a","averageMs":1}])");
  EXPECT_EQ(import_file(file.path(), {.runs = "decode"}).error().code(), "RIDGE-IMP-0016");
}

}  // namespace
}  // namespace ridge::imports
