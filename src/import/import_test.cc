// Oracles: files written out below, whose times and members are counted by hand.
#include "import/import.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "analysis/resolved.h"
#include "graph/sketch.h"
#include "import/formats.h"
#include "import/names.h"
#include "import/trtexec_names.h"

namespace ridge::imports {
namespace {

using profile::Evidence;
using profile::Profile;
using profile::Role;

analysis::Resolved resolve(std::string_view sketch) {
  auto model = std::make_shared<const graph::Model>(
      graph::Model::build(graph::Sketch::document(sketch)).value());
  return analysis::resolve(model, {}).value();
}

constexpr std::string_view kModel = R"(graph main
  input x[1,3,8,8]
  constant w[4,3,1,1] v[4,4,1,1] k[1]
  conv1: Conv(x, w) -> c1
  relu1: Relu(c1) -> r1
  conv2: Conv(r1, v) -> c2
  add: Add(c2, r1) -> s
  fold: Add(k, k) -> k2
  scale: Mul(s, k2) -> y
  output y
)";

/// A file that goes with the test.
class Written {
 public:
  explicit Written(std::string_view content)
      : path_(testing::TempDir() + "imported_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Profile imported(std::string_view content, const analysis::Resolved* resolved) {
  const Written file(content);
  return import_file(file.path(), {.resolved = resolved}).value();
}

std::string code_of(std::string_view content, const std::string& from = "") {
  const Written file(content);
  const auto p = import_file(file.path(), {.from = from});
  return p.ok() ? "" : p.error().code();
}

/// "0e 1p": nodes with the first letter of their roles.
std::string members(const profile::Layer& layer) {
  std::string out;
  for (const profile::Member& m : layer.members)
    out += (out.empty() ? "" : " ") + std::to_string(m.node) +
           (m.role == Role::kExecutes ? "e"
            : m.role == Role::kPart   ? "p"
                                      : "a");
  return out;
}

bool says(const Profile& p, std::string_view text) {
  for (const std::string& note : p.notes)
    if (note.find(text) != std::string::npos) return true;
  return false;
}

std::string ort_event(std::string_view cat, std::string_view name, int ts, int dur,
                      std::string_view op = "") {
  return "{\"cat\" : \"" + std::string(cat) +
         "\",\"pid\" :1,\"tid\" :1,\"dur\" :" + std::to_string(dur) +
         ",\"ts\" :" + std::to_string(ts) + ",\"ph\" : \"X\",\"name\" :\"" + std::string(name) +
         "\",\"args\" : {\"op_name\" : \"" + std::string(op) + "\"}}";
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
  EXPECT_EQ(p.layers[0].time_ns.median, 20'000);
  EXPECT_EQ(p.layers[0].corrected_ns, 20'000);
  EXPECT_EQ(members(p.layers[0]), "0e 1e");  // back from its name to the convolution
  EXPECT_EQ(p.layers[0].members[0].evidence, Evidence::kRegion);
  EXPECT_EQ(p.layers[0].members[1].evidence, Evidence::kRenamed);
  EXPECT_EQ(p.layers[0].work.macs, 3 * 4 * 64);
  // x and the weights come in, r1 goes out.
  EXPECT_EQ(p.layers[0].bytes, 4 * (3 * 64 + 12 + 4 * 64));
  EXPECT_TRUE(p.layers[1].inserted);
  EXPECT_EQ(members(p.layers[2]), "2e");
  EXPECT_EQ(p.layers[2].members[0].evidence, Evidence::kRuntimeList);
  EXPECT_EQ(p.profiling.profiled_latency_ns.median, 80'000);
  EXPECT_EQ(p.profiling.gaps_ns, 48'000);  // 38, 58, 48
  EXPECT_TRUE(std::isnan(p.latency.ns.median));
  ASSERT_EQ(p.without_layer.size(), 1U);
  EXPECT_EQ(p.without_layer[0].node, 4U);
  EXPECT_TRUE(says(p, "matched 2 of 2 layers by name to nodes of the model, 100.0 %"));
  // add reads two activations: nothing says which layer has it, nor what reads it.
  EXPECT_TRUE(says(p, "2 nodes of the model are in no layer"));
  EXPECT_EQ(p.timeline.spans().size(), 13U);
}

TEST(ImportOrt, ACutFileKeepsItsWholeRunsAndSaysWhatIsMissing) {
  std::string text = "[\n" + ort_event("Node", "a_kernel_time", 0, 10, "Relu") + ",\n" +
                     ort_event("Session", "model_run", 0, 20) + ",\n,\n" +
                     ort_event("Node", "a_kernel_time", 30, 50, "Relu") + ",\n{\"cat\" : \"No";
  const Profile p = imported(text, nullptr);
  EXPECT_EQ(p.layers[0].runs_ns, std::vector<std::int64_t>{10'000});
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
  EXPECT_EQ(p.layers[0].time_ns.median, 2e6);
  EXPECT_TRUE(std::isnan(p.layers[0].time_ns.low));
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
  EXPECT_EQ(p.layers[0].time_ns.median, 250'000);
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
  EXPECT_EQ(p.layers[0].time_ns.median, 12);
  EXPECT_EQ(members(p.layers[1]), "0e 1e");
  EXPECT_EQ(p.layers[1].time_ns.median, 2e6);
  EXPECT_EQ(p.layers[1].bytes, std::nullopt);  // one name of three is not known
  EXPECT_EQ(members(p.layers[2]), "2e 3e 5e");
  EXPECT_EQ(p.layers[2].members[0].evidence, Evidence::kRuntimeList);
  EXPECT_EQ(p.layers[2].members[2].evidence, Evidence::kGuess);  // scale, behind the region
  EXPECT_EQ(p.layers[2].time_ns.median, 3e6);
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

std::string span(std::string_view cat, std::string_view name, int ts, int dur,
                 std::string_view args) {
  return "{\"ph\":\"X\",\"cat\":\"" + std::string(cat) + "\",\"name\":\"" + std::string(name) +
         "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(ts) +
         ".5,\"dur\":" + std::to_string(dur) + ",\"args\":{" + std::string(args) + "}}";
}

TEST(ImportKineto, KernelsAreChargedToTheRangeOrOperatorThatLaunchedThem) {
  const auto resolved = resolve(kModel);
  const std::string text =
      "{\"schemaVersion\":1,\"traceEvents\":[\n" + span("user_annotation", "conv1", 1000, 100, "") +
      ",\n" + span("cpu_op", "aten::conv2d", 1010, 80, "\"External id\":1") + ",\n" +
      span("cpu_op", "aten::_convolution", 1020, 60, "\"External id\":2") + ",\n" +
      span("cuda_runtime", "cudaLaunchKernel", 1030, 5, "\"correlation\":7") + ",\n" +
      span("kernel", "gemm", 1200, 40, "\"correlation\":7,\"device\":0,\"stream\":7") + ",\n" +
      span("cpu_op", "aten::add", 1110, 20, "\"External id\":3") + ",\n" +
      span("kernel", "add", 1300, 10, "\"External id\":3,\"device\":0,\"stream\":7") + ",\n" +
      span("kernel", "lost", 1400, 1, "\"device\":0,\"stream\":9") + "],\"traceName\":\"t\"}";
  const Profile p = imported(text, &resolved);
  ASSERT_EQ(p.layers.size(), 3U);
  EXPECT_EQ(p.layers[0].name, "conv1");
  EXPECT_EQ(members(p.layers[0]), "0e");
  EXPECT_EQ(p.layers[0].corrected_ns, 40'000);
  ASSERT_EQ(p.layers[0].kernels.size(), 1U);
  EXPECT_EQ(p.layers[0].kernels[0].name, "gemm");
  EXPECT_EQ(p.layers[1].name, "aten::add");  // launched by its id alone
  EXPECT_EQ(p.layers[1].corrected_ns, 10'000);
  EXPECT_EQ(p.layers[2].name, "lost");
  EXPECT_TRUE(says(p, "1 span on the device without the call that launched it"));
  const auto& spans = p.timeline.spans();
  ASSERT_EQ(spans.size(), 8U);
  EXPECT_EQ(spans[0].start_ns, 0);
  EXPECT_EQ(spans[4].start_ns, 200'000);
  EXPECT_EQ(spans[4].correlation, spans[3].correlation);
  EXPECT_EQ(p.timeline.text(spans[4].queue), "7");
  // Without the model the outermost operator has the time.
  EXPECT_EQ(imported(text, nullptr).layers[0].name, "aten::conv2d");
}

TEST(ImportKineto, StepsAreRunsAndTheHostCountsWhereNothingRanOnADevice) {
  std::string text = "[";
  for (int i = 0; i < 2; ++i) {
    text += span("user_annotation", "ProfilerStep#" + std::to_string(i), 100 * i, 90, "") + ",\n";
    text += span("cpu_op", "aten::mm", 100 * i + 10, 20 + i, "") + ",\n";
  }
  text += span("cpu_op", "aten::mm", 500, 1, "") + ",\n" + span("cpu_op", "odd", 520, -1, "") +
          ",\n" + span("cpu_op", "crossing", 15, 60, "") + "]";
  const Profile p = imported(text, nullptr);
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{20'000, 21'000}));
  EXPECT_EQ(p.profiling.profiled_latency_ns.median, 90'000);
  EXPECT_TRUE(says(p, "1 span outside of all steps left out"));
  EXPECT_TRUE(says(p, "1 event of negative duration dropped"));
  EXPECT_TRUE(says(p, "1 event overlapping another of the same thread, neither inside the other"));
}

TEST(Import, WhatIsNoneOfTheFormatsIsRefusedWithACodeOfItsOwn) {
  EXPECT_EQ(code_of(""), "RIDGE-IMP-0002");
  EXPECT_EQ(code_of("hello"), "RIDGE-IMP-0002");
  EXPECT_EQ(code_of("x", "csv"), "RIDGE-IMP-0001");
  EXPECT_EQ(code_of("{\"schema\":\"ridge.profile/1\"}"), "RIDGE-IMP-0003");
  EXPECT_EQ(code_of("\x1f\x8b\x08"), "RIDGE-IMP-0004");
  EXPECT_EQ(code_of("[]", "ort"), "RIDGE-IMP-0010");
  EXPECT_EQ(code_of("hello", "openvino"), "RIDGE-IMP-0020");
  EXPECT_EQ(code_of(kHeader), "RIDGE-IMP-0021");
  EXPECT_EQ(code_of("[{\"count\":3}]"), "RIDGE-IMP-0030");
  EXPECT_EQ(code_of("{}", "kineto"), "RIDGE-IMP-0040");
  EXPECT_EQ(code_of("{\"traceEvents\":[]}"), "RIDGE-IMP-0041");
  EXPECT_EQ(code_of("SQLite format 3"), "RIDGE-IMP-0002");
  EXPECT_EQ(code_of(std::string("SQLite format 3\0", 16) + "junk"), "RIDGE-IMP-0050");
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
