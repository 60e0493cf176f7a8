// SPDX-License-Identifier: Apache-2.0
// Oracles: files written out below, whose times and members are counted by hand.
#include "import/import.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "import/formats.h"
#include "import/names.h"
#include "import/testing.h"
#include "import/trtexec_names.h"

namespace ridge::imports {
namespace {

using profile::Evidence;
using profile::Profile;

std::string import_code(std::string_view content, const std::string& from = "") {
  const Written file(content);
  const auto p = import_file(file.path(), {.from = from});
  return p.ok() ? "" : p.error().code();
}

std::string ort_event(std::string_view cat, std::string_view name, int ts, int dur,
                      std::string_view op = "") {
  return "{\"cat\" : \"" + std::string(cat) +
         "\",\"pid\" :1,\"tid\" :1,\"dur\" :" + std::to_string(dur) +
         ",\"ts\" :" + std::to_string(ts) + ",\"ph\" : \"X\",\"name\" :\"" + std::string(name) +
         "\",\"args\" : {\"op_name\" : \"" + std::string(op) + "\"}}";
}

// 100 of 240 runs are slow and consecutive: under an assumption of independent runs the interval
// would contain only the fast time.
TEST(ImportOrt, IntervalsKnowThatNeighboringRunsAreAlike) {
  const auto resolved = resolve(kModel);
  std::string text = "[\n";
  for (int run = 0; run < 240; ++run) {
    text += ort_event("Node", "conv1_kernel_time", 100 * run, run < 100 ? 60 : 30, "Conv") + ",\n";
    text += ort_event("Session", "model_run", 100 * run, 80) + ",\n";
  }
  const Profile p = imported(text + "]", &resolved);
  ASSERT_EQ(p.layers.size(), 1U);
  EXPECT_EQ(p.layers[0].time_ns.value, 30'000);
  EXPECT_EQ(p.layers[0].time_ns.low(), 30'000);
  EXPECT_EQ(p.layers[0].time_ns.high(), 60'000);
}

TEST(ImportOrt, KernelsOfEachRunAreSummedByNameAndJoined) {
  const auto resolved = resolve(kModel);
  std::string text = "[\n" + ort_event("Session", "session_initialization", 0, 40) + ",\n";
  int at = 100;
  for (const int slower : {30, 10, 20}) {
    text += ort_event("Node", "r1_nchwc_kernel_time", at, slower, "Conv") + ",\n";
    text += ort_event("Node", "reorder_kernel_time", at + 40, 5, "ReorderOutput") + ",\n";
    text += ort_event("Node", "conv2_kernel_time", at + 50, 7, "FusedConv") + ",\n";
    text += ort_event("Session", "model_run", at, 80) + ",\n";
    at += 100;
  }
  const Profile p = imported(text + "]", &resolved);
  EXPECT_EQ(p.subject.kind, "imported");
  EXPECT_EQ(p.load_ns, 40'000);
  ASSERT_EQ(p.layers.size(), 3U);
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{30'000, 10'000, 20'000}));
  EXPECT_EQ(p.layers[0].time_ns.value, 20'000);
  EXPECT_EQ(p.layers[0].corrected_ns, 20'000);
  EXPECT_EQ(members(p.layers[0]), "0e 1e");  // back from its name to the convolution
  EXPECT_EQ(p.layers[0].members[0].evidence, Evidence::kRegion);
  EXPECT_EQ(p.layers[0].members[1].evidence, Evidence::kRenamed);
  EXPECT_EQ(p.layers[0].work.macs, 3 * 4 * 64);
  // x and the weights are read, r1 is written.
  EXPECT_EQ(p.layers[0].bytes, 4 * (3 * 64 + 12 + 4 * 64));
  EXPECT_TRUE(p.layers[1].inserted);
  EXPECT_EQ(members(p.layers[2]), "2e 3e 5e");
  EXPECT_EQ(p.layers[2].members[0].evidence, Evidence::kRuntimeList);
  EXPECT_EQ(p.layers[2].members[1].evidence, Evidence::kFusion);  // the sum that FusedConv adds
  EXPECT_EQ(p.layers[2].members[2].evidence, Evidence::kGuess);   // its only reader
  EXPECT_EQ(p.profiling.profiled_latency_ns.value, 80'000);
  EXPECT_EQ(p.profiling.gaps_ns, 48'000);  // 38, 58, 48
  EXPECT_TRUE(std::isnan(p.latency.ns.value));
  ASSERT_EQ(p.without_layer.size(), 1U);
  EXPECT_EQ(p.without_layer[0].node, 4U);
  EXPECT_TRUE(says(p, "matched 2 of 2 layers by name to nodes of the model, 100.0 %"));
  EXPECT_TRUE(
      says(p, "1 node that no layer is named after stands in the layer that ONNX Runtime's"));
  EXPECT_EQ(p.timeline.spans().size(), 13U);
}

TEST(ImportOrt, ACutFileKeepsItsWholeRunsAndSaysWhatIsMissing) {
  std::string text = "[\n" + ort_event("Node", "a_kernel_time", 0, 10, "Relu") + ",\n" +
                     ort_event("Session", "model_run", 0, 20) + ",\n,\n" +
                     ort_event("Node", "a_kernel_time", 30, 50, "Relu") + ",\n{\"cat\" : \"No";
  const Profile p = imported(text, nullptr);
  EXPECT_EQ(p.layers[0].runs_ns, std::vector<std::int64_t>{10'000});
  EXPECT_TRUE(says(p, "1 stray comma passed over"));
  EXPECT_TRUE(says(p, "the file is cut off: what its end would have said is missing"));
  EXPECT_TRUE(says(p, "1 kernel event in no run that the file has the end of left out"));
}

TEST(ImportOrt, OddTimesAreCountedAndNeverUsed) {
  const std::string text = "[\n" + ort_event("Node", "a_kernel_time", 50, 10, "Relu") + ",\n" +
                           ort_event("Node", "b_kernel_time", 20, 5, "Relu") + ",\n" +
                           ort_event("Node", "c_kernel_time", 70, -3, "Relu") + "\n]";
  const Profile p = imported(text, nullptr);
  ASSERT_EQ(p.layers.size(), 2U);
  EXPECT_TRUE(says(p, "1 event of negative duration dropped"));
  EXPECT_TRUE(says(p, "1 event out of order: the clock of the recording went back"));
  EXPECT_TRUE(says(p, "it has no model_run events: all kernels count as one run"));
}

TEST(ImportOrt, LayersAndRunsThatAreBothManyHaveMeans) {
  constexpr int kMany = 1100;  // each; the product exceeds a million times plus four per event
  std::string text = "[\n";
  for (int i = 0; i < kMany; ++i)
    text += ort_event("Node", "n" + std::to_string(i) + "_kernel_time", 100 * i, 11, "Relu") +
            ",\n" + ort_event("Session", "model_run", 100 * i, 80) + ",\n";
  const Profile p = imported(text + "]", nullptr);
  ASSERT_EQ(p.layers.size(), 1100U);
  EXPECT_TRUE(p.layers[7].runs_ns.empty());
  EXPECT_EQ(p.layers[7].corrected_ns, 10);  // 11 µs in one of 1100 runs
  EXPECT_EQ(p.profiling.profiled_latency_ns.value, 80'000);
  EXPECT_TRUE(says(p, "1100 layers in 1100 runs are too many to keep the times of each"));
}

TEST(ImportOrt, AnAdditionToANameIsTakenOffEightTimes) {
  const auto resolved = resolve(kModel);
  const NameIndex names(resolved.model());
  std::string name = "conv1";
  for (int i = 0; i < 8; ++i) name += "_bn";
  EXPECT_EQ(names.find(name, Naming::kOnnxRuntime).node, 0U);
  EXPECT_FALSE(names.find(name + "_bn", Naming::kOnnxRuntime));
}

TEST(ImportOrt, ALoopHasItsBodysTimeTakenOut) {
  const std::string text = "[\n" + ort_event("Node", "body_kernel_time", 10, 20, "MatMul") + ",\n" +
                           ort_event("Node", "body_kernel_time", 40, 20, "MatMul") + ",\n" +
                           ort_event("Node", "loop_kernel_time", 0, 100, "Loop") + ",\n" +
                           ort_event("Session", "model_run", 0, 110) + "\n]";
  const Profile p = imported(text, nullptr);
  EXPECT_EQ(p.layers[0].runs_ns, std::vector<std::int64_t>{40'000});
  EXPECT_EQ(p.layers[0].executions, 2);
  EXPECT_EQ(p.layers[1].runs_ns, std::vector<std::int64_t>{60'000});
}

TEST(ImportOrt, NodesWithoutANameAreFoundByTheirIndex) {
  const auto resolved = resolve(
      "graph main\n  input x[4]\n  Relu(x) -> a\n  Neg(a) -> b\n  Relu(b) -> y\n  output y\n");
  const NameIndex names(resolved.model());
  EXPECT_EQ(names.find("Neg_1", Naming::kOnnxRuntime).node, 1U);
  EXPECT_EQ(names.find("Neg_1", Naming::kOnnxRuntime).evidence, Evidence::kRenamed);
  EXPECT_FALSE(names.find("Neg_2", Naming::kOnnxRuntime));  // another operator
  EXPECT_FALSE(names.find("Neg_1", Naming::kOpenVino));
}

constexpr std::string_view kHeader =
    "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\n";

TEST(ImportOpenVino, RequestsAreTheirOwnTablesAndFusedNodesAGuess) {
  const auto resolved = resolve(kModel);
  std::string text;
  for (const char* ms : {"1.000", "3.000"})
    text += std::string(kHeader) + "conv1/WithoutBiases;Status.EXECUTED;Convolution;jit_f32;" + ms +
            ";0.1\nrelu1;Status.NOT_RUN;Relu;undef;0.000;0.000\n"
            "a;b;EXECUTED;Reorder;jit_bf16;0.500;0.500\nTotal;;;;1.5;1.5\n\n";
  const Profile p = imported(text, &resolved);
  ASSERT_EQ(p.layers.size(), 2U);
  EXPECT_EQ(p.layers[0].time_ns.value, 2e6);
  EXPECT_TRUE(std::isnan(p.layers[0].time_ns.low()));
  EXPECT_EQ(p.layers[0].precision, "float32");
  ASSERT_EQ(members(p.layers[0]), "0e 1e");
  EXPECT_EQ(p.layers[0].members[0].evidence, Evidence::kRenamed);
  EXPECT_EQ(p.layers[0].members[1].evidence, Evidence::kGuess);
  EXPECT_TRUE(says(p, "1 node that no layer is named after stands beside"));
  EXPECT_EQ(p.layers[1].name, "a;b");
  EXPECT_TRUE(p.layers[1].inserted);
  EXPECT_TRUE(says(p, "medians over 2 infer requests"));
}

TEST(ImportOpenVino, TheFormOfTheCppToolIsReadToo) {
  const Profile p = imported(
      "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\r\n"
      "x;EXECUTED;Relu;ref;0.25;0.25;\r\nTotal;;;;0.25;0.25;\r\n",
      nullptr);
  EXPECT_EQ(p.layers[0].time_ns.value, 250'000);
  EXPECT_FALSE(says(p, "cut off"));
}

TEST(ImportTrtexec, ListsRegionsAndInsertedLayersAreToldApart) {
  const auto resolved = resolve(kModel);
  const Profile p = imported(R"([ { "count" : 10 }
, { "name" : "Reformatting CopyNode for Input Tensor 0 to conv1 + relu1", "medianMs" : 1.2e-05 }
, { "name" : "conv1 + relu1 + nowhere", "timeMs" : 20, "averageMs" : 2.5, "medianMs" : 2 }
, { "name" : "{ForeignNode[conv2...add]}", "timeMs" : 30 }
, { "name" : "later", "timeMs" : -1, "averageMs" : -0.1 } ])",
                             &resolved);
  ASSERT_EQ(p.layers.size(), 3U);
  EXPECT_TRUE(p.layers[0].inserted);
  EXPECT_EQ(p.layers[0].time_ns.value, 12);
  EXPECT_EQ(members(p.layers[1]), "0e 1e");
  EXPECT_EQ(p.layers[1].time_ns.value, 2e6);
  EXPECT_EQ(p.layers[1].bytes, std::nullopt);  // one of three names is unknown
  EXPECT_EQ(members(p.layers[2]), "2e 3e 5e");
  EXPECT_EQ(p.layers[2].members[0].evidence, Evidence::kRuntimeList);
  EXPECT_EQ(p.layers[2].members[2].evidence, Evidence::kGuess);  // scale, behind the region
  EXPECT_EQ(p.layers[2].time_ns.value, 3e6);
  EXPECT_TRUE(says(p, "1 of these lists names that it does not have"));
  EXPECT_TRUE(says(p, "1 event of negative duration dropped"));
}

TEST(ImportTrtexec, NamesComeApart) {
  std::vector<std::string> parts;
  std::vector<RecordedRegion> regions;
  split_name("PWN(PWN(/a/Sigmoid), /a/Mul) + (Unnamed Layer* 3) [Shuffle] || b [profile 1]", parts,
             regions);
  EXPECT_EQ(parts, (std::vector<std::string>{"/a/Sigmoid", "/a/Mul", "b"}));
  EXPECT_EQ(metadata_nodes("[ONNX Layer: a[0] | f (F)]\x1f[ONNX Layer: b][ONNX Layer: a[0]]"),
            (std::vector<std::string>{"a[0]", "b"}));
}

TEST(ImportTrtexec, NamesTooLongOrTooDeepStayWhole) {
  const auto splits = [](const std::string& name) {
    std::vector<std::string> parts;
    std::vector<RecordedRegion> regions;
    const bool split = split_name(name, parts, regions);
    EXPECT_EQ(parts.empty(), !split);
    return split;
  };
  std::string deep = "a";
  for (int i = 0; i < kDeepestName; ++i) deep = "PWN(" + deep + ")";
  EXPECT_TRUE(splits(deep));
  EXPECT_FALSE(splits(fmt::format("b + PWN({})", deep)));
  EXPECT_TRUE(splits(std::string(kLongestName, 'a')));
  EXPECT_FALSE(splits(std::string(kLongestName + 1, 'a')));
  const Profile p = imported(
      "[{\"count\":1},{\"name\":\"" + std::string(5000, 'a') + "\",\"timeMs\":1}]", nullptr);
  EXPECT_TRUE(says(p, "1 layer name longer than 4096 bytes or nested deeper than 16 levels"));
}

TEST(ImportTrtexec, DeepLayerInformationIsRefused) {
  const std::string many(100'000, '['), end(100'000, ']');
  const std::string deep = "{\"Layers\":[{\"Name\":\"a\",\"x\":" + many + end + "}]}";
  const std::string profile = "[{\"count\":1},{\"name\":\"a\",\"timeMs\":1}]";
  const auto read = [&](std::string_view info) {
    const auto out = read_trtexec_profile({.content = profile, .layer_info = info});
    return out.ok() ? out->layers[0].type : out.error().code();
  };
  EXPECT_EQ(read(deep), "RIDGE-IMP-0033");
  EXPECT_EQ(read("{\"Layers\":" + many), "RIDGE-IMP-0033");
  EXPECT_EQ(read("{\"Layers\":[{\"Name\":\"a\",\"LayerType\":\"t\",\"x\":[[[[]]]]}]}"), "t");
}

TEST(Import, WhatIsNoneOfTheFormatsIsRefusedWithACodeOfItsOwn) {
  EXPECT_EQ(import_code(""), "RIDGE-IMP-0002");
  EXPECT_EQ(import_code("hello"), "RIDGE-IMP-0002");
  EXPECT_EQ(import_code("x", "csv"), "RIDGE-IMP-0001");
  EXPECT_EQ(import_code("{\"schema\":\"ridge.profile/1\"}"), "RIDGE-IMP-0003");
  EXPECT_EQ(import_code("\x1f\x8b\x08"), "RIDGE-IMP-0002");
  EXPECT_EQ(import_code("[]", "ort"), "RIDGE-IMP-0010");
  EXPECT_EQ(import_code("hello", "openvino"), "RIDGE-IMP-0020");
  EXPECT_EQ(import_code(kHeader), "RIDGE-IMP-0021");
  EXPECT_EQ(import_code("[{\"count\":3}]"), "RIDGE-IMP-0030");
  EXPECT_EQ(import_code("{}", "kineto"), "RIDGE-IMP-0040");
  EXPECT_EQ(import_code("{\"traceEvents\":[]}"), "RIDGE-IMP-0041");
  EXPECT_EQ(import_code("SQLite format 3"), "RIDGE-IMP-0002");
  EXPECT_EQ(import_code(std::string("SQLite format 3\0", 16) + "junk"), "RIDGE-IMP-0050");
}

TEST(Import, TheTableOfFormatsIsSortedAndReadsWhatItMatches) {
  const auto all = formats();
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].name, all[i].name);
  EXPECT_EQ(detect(kHeader)->name, "openvino");
  EXPECT_EQ(detect("[ { \"count\" : 3 }")->name, "trtexec");
  EXPECT_EQ(detect("[{\"cat\" : \"Session\",\"ph\" : \"X\"}")->name, "ort");
  EXPECT_EQ(detect("[{\"cat\" : \"kernel\",\"ph\" : \"X\"}")->name, "kineto");
}

}  // namespace
}  // namespace ridge::imports
