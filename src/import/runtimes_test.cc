// SPDX-License-Identifier: Apache-2.0
// Recorded data beyond times: operators as kernels, element types, companion files of the
// recording. Oracles: files written out below, computed by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <variant>

#include "import/exec_graph.h"
#include "import/formats.h"
#include "import/names.h"
#include "import/testing.h"
#include "trace/build_view.h"
#include "trace/queries.h"

namespace ridge::imports {
namespace {

using profile::Evidence;
using profile::Profile;

std::string ort(std::string_view name, std::string_view op, int ts, int dur) {
  return R"({"cat" : "Node","tid" :1,"dur" :)" + std::to_string(dur) + R"(,"ts" :)" +
         std::to_string(ts) + R"(,"ph" : "X","name" :")" + std::string(name) +
         R"(_kernel_time","args" : {"op_name" : ")" + std::string(op) + "\"}},\n";
}

constexpr std::string_view kRun =
    R"({"cat" : "Session","tid" :1,"dur" :100,"ts" :0,"ph" : "X","name" :"model_run"},)";

std::string text_of(const trace::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  const auto* number = std::get_if<double>(&cell);
  return number == nullptr ? "?" : fmt::format("{:.0f}", *number);
}

/// Values of one column of a query's result, in row order.
std::string column(const Profile& p, std::string_view query, std::string_view name) {
  Profile copy = p;
  std::vector<trace::View> views;
  views.push_back(trace::build_view(copy));
  const trace::Table t = trace::run_query(query, views).value();
  std::string out;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    if (t.columns[c].name == name)
      for (const trace::Row& row : t.rows) out += text_of(row.cells()[c]) + " ";
  return out;
}

TEST(ImportOrt, AFusedNodeIsCalledAfterItsProduct) {
  const auto resolved = resolve(kModel);
  const Profile p =
      imported("[\n" + ort("fused conv1", "FusedConv", 0, 10) +
                   ort("fused conv2_token_7", "FusedConv", 20, 5) + std::string(kRun) + "]",
               &resolved);
  EXPECT_EQ(members(p.layers[0]), "0e 1e");  // relu1 beside it, a guess
  EXPECT_EQ(p.layers[0].members[0].evidence, Evidence::kRenamed);
  EXPECT_EQ(members(p.layers[1]), "2e 3e 5e");  // with the sum behind it, and its only reader
}

TEST(ImportOrt, AFusedOperatorWithoutANameIsFoundByItsIndex) {
  const auto resolved = resolve(
      "graph main\n  input x[1,3,8,8]\n  constant w[4,3,1,1]\n  Conv(x, w) -> a\n"
      "  Relu(a) -> y\n  output y\n");
  const NameIndex names(resolved.model());
  EXPECT_EQ(names.find("FusedConv_0", Naming::kOnnxRuntime).node, 0U);
  EXPECT_FALSE(names.find("FusedConv_1", Naming::kOnnxRuntime));  // node 1 is the Relu
  EXPECT_FALSE(names.find("FusedGemm_0", Naming::kOnnxRuntime));
}

TEST(ImportOrt, KernelsAreOperatorsAndAddUpToTheLayers) {
  const Profile p = imported("[\n" + ort("a", "Conv", 0, 10) + ort("b", "Relu", 20, 7) +
                                 ort("c", "Conv", 30, 5) + std::string(kRun) + "]",
                             nullptr);
  EXPECT_EQ(column(p, "A10", "kernel"), "Conv Relu ");
  EXPECT_EQ(column(p, "A10", "time_ns"), "15000 7000 ");
  EXPECT_EQ(column(p, "A8", "kernel"), "Conv Relu Conv ");
  EXPECT_EQ(column(p, "A11", "time_ns"), "10000 7000 5000 ");
  EXPECT_EQ(column(p, "A15", "time_ns"), "22000 ");
}

constexpr std::string_view kReport = R"({"report_type": "detailed", "detailed_performance": [
  {"nodes": [{"name": "conv1", "node_type": "Convolution", "status": "Status.EXECUTED",
              "real_time": "1.000", "cpu_time": "1.000", "exec_type": "brgconv_avx512_bf16"},
             {"name": "relu1", "node_type": "Relu", "status": "Status.NOT_RUN", "real_time": "0.000",
              "cpu_time": "0.000", "exec_type": "undef"}]},
  {"nodes": [{"name": "conv1", "node_type": "Convolution", "status": "Status.EXECUTED",
              "real_time": "3.000", "cpu_time": "3.000", "exec_type": "brgconv_avx512_bf16"}]}]})";

TEST(ImportOpenVino, TheJsonReportIsReadAsTheTablesAre) {
  const Profile p = imported(kReport, nullptr);
  ASSERT_EQ(p.layers.size(), 1U);
  EXPECT_EQ(p.layers[0].time_ns.value, 2e6);
  EXPECT_EQ(p.layers[0].precision, "bfloat16");
  EXPECT_TRUE(says(p, "1 layer listed and not run by itself"));
  EXPECT_TRUE(says(p, "medians over 2 infer requests"));
  EXPECT_EQ(column(p, "A10", "kernel"), "Convolution ");
  const Profile average = imported(
      R"({"report_type": "average", "avg_performance": {"nodes": [{"name": "a\"b",
          "node_type": "Relu", "status": "EXECUTED", "real_time": "0.25", "exec_type": "x"}]}})",
      nullptr);
  EXPECT_EQ(average.layers[0].name, "a\"b");
  EXPECT_EQ(average.layers[0].time_ns.value, 250'000);
}

TEST(ImportOpenVino, ACutJsonReportKeepsItsRowsAndSaysSo) {
  const Profile p = imported(kReport.substr(0, kReport.rfind("brgconv")), nullptr);
  EXPECT_EQ(p.layers[0].time_ns.value, 1e6);
  EXPECT_TRUE(says(p, "the file is cut off"));
}

constexpr std::string_view kGraph = R"(<?xml version="1.0"?><net name="n"><layers>
  <layer id="0" name="x" type="Input"><data originalLayersNames="x" runtimePrecision="f32"/>
    <output><port id="0"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output></layer>
  <layer id="1" name="conv1" type="Convolution"><data runtimePrecision="bf16" outputPrecisions="f32"
     originalLayersNames="conv1/WithoutBiases,Multiply_10375,conv1,relu1,"/>
    <output><port id="1"><dim>1</dim><dim>4</dim><dim>8</dim><dim>8</dim></port></output></layer>
  </layers></net>)";

TEST(ImportOpenVino, TheExecutionGraphsOriginalsAreMembersWithEvidence) {
  const auto resolved = resolve(kModel);
  const auto recorded = read_openvino_counters({.content = kReport, .exec_graph = kGraph}).value();
  const RecordedLayer& layer = recorded.layers[0];
  EXPECT_EQ(layer.parts,
            (std::vector<std::string>{"conv1/WithoutBiases", "Multiply_10375", "conv1", "relu1"}));
  EXPECT_EQ(layer.precision, "bfloat16");
  EXPECT_EQ(layer.output_precision, "float32");
  EXPECT_EQ(recorded.tensors.at("x"), (Dims{1, 3, 8, 8}));
  const Written counters(kReport);
  const std::string graph = ::testing::TempDir() + "imported_graph.xml";
  std::ofstream(graph) << kGraph;
  const Profile p =
      import_file(counters.path(), {.model = model_of(&resolved), .exec_graph = graph})
          .value()
          .profile;
  std::filesystem::remove(graph);
  ASSERT_EQ(members(p.layers[0]), "0e 1e");
  EXPECT_EQ(p.layers[0].members[1].evidence, Evidence::kRuntimeList);
  // x and the weights as bfloat16, r1 as float32.
  EXPECT_EQ(p.layers[0].output_bytes, 4 * 4 * 64);
  EXPECT_EQ(p.layers[0].bytes, 2 * (3 * 64 + 12) + 4 * 4 * 64);
}

TEST(ImportOpenVino, AnExecutionGraphThatIsNoneIsRefused) {
  const auto code = [](std::string_view xml) {
    const auto graph = read_exec_graph(xml);
    return graph.ok() ? "" : std::string(graph.error().code());
  };
  EXPECT_EQ(code("<net><layers>"), "RIDGE-IMP-0022");
  EXPECT_EQ(code(""), "RIDGE-IMP-0022");
  EXPECT_EQ(code("<net/>"), "RIDGE-IMP-0023");
  EXPECT_EQ(
      code("<!DOCTYPE n [<!ENTITY a \"b\">]><net><layers><layer name=\"&a;\"/></layers></net>"),
      "RIDGE-IMP-0022");
  EXPECT_EQ(code(kGraph), "");
}

TEST(ImportTrtexec, BytesAreOfTheEnginesElementTypesAndKernelsItsTactics) {
  const auto resolved = resolve(kModel);
  const std::string info = R"({"Layers":[
    {"Name":"conv1 + relu1","LayerType":"CaskConvolution","TacticName":"sm80_xmma_f16",
     "Inputs":[{"Name":"x","Dimensions":[1,3,8,8],"Format/Datatype":"Half"}],
     "Outputs":[{"Name":"r1","Dimensions":[1,4,8,8],"Format/Datatype":"Row major linear FP16 format"}]},
    {"Name":"conv2","LayerType":"CaskConvolution","TacticName":"sm80_xmma_f16",
     "Inputs":[{"Name":"r1","Datatype":"Half"}],"Outputs":[{"Name":"c2","Datatype":"FP32"}]},
    {"Name":"add","LayerType":"ElementWise"}]})";
  const std::string profile =
      R"([{"count":4},{"name":"conv1 + relu1","timeMs":4},{"name":"conv2","timeMs":8},
          {"name":"add","timeMs":2}])";
  const Written layers(info);
  const std::string path = ::testing::TempDir() + "imported_trt.json";
  const std::string times = ::testing::TempDir() + "imported_times.json";
  std::ofstream(path) << profile;
  std::ofstream(times) << R"([ { "startComputeMs" : 1, "computeMs" : 4.5, "latencyMs" : 5 }
, { "startComputeMs" : 7, "computeMs" : 5.5, "latencyMs" : 6 } ])";
  const Profile p =
      import_file(path, {.model = model_of(&resolved), .layer_info = layers.path(), .times = times})
          .value()
          .profile;
  EXPECT_EQ(p.layers[0].bytes, 2 * (3 * 64 + 12 + 4 * 64));
  EXPECT_EQ(p.layers[1].bytes, 2 * (4 * 64 + 16) + 4 * (4 * 64));
  EXPECT_EQ(column(p, "A10", "kernel"), "sm80_xmma_f16 ElementWise ");
  EXPECT_EQ(column(p, "A10", "time_ns"), "3000000 500000 ");
  EXPECT_EQ(p.profiling.profiled_latency_ns.value, 5e6);
  EXPECT_TRUE(
      says(p, "the layers' times add up to 3.500 ms, 70.0 % of the median run of 5.000 ms"));
  EXPECT_EQ(import_file(times, {}).error().code(), "RIDGE-IMP-0035");
  EXPECT_EQ(import_file(path, {.times = path}).error().code(), "RIDGE-IMP-0034");
  for (const std::string& file : {path, times}) std::filesystem::remove(file);
}

TEST(Import, ARecordingOfAnotherModelIsRefusedUnlessItMayBe) {
  const auto resolved = resolve(kModel);
  const std::string text = "[\n" + ort("other", "Relu", 0, 10) + std::string(kRun) + "]";
  const Written file(text);
  const Result<Imported> refused = import_file(file.path(), {.model = model_of(&resolved)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), "RIDGE-IMP-0008");
  EXPECT_NE(refused.error().text().find("layers 'other'; nodes 'conv1', 'relu1', 'conv2', …"),
            std::string::npos)
      << refused.error().text();
  const Result<Imported> taken = import_file(
      file.path(), {.model = model_of(&resolved), .unmatched = ImportOptions::Unmatched::kAllowed});
  ASSERT_TRUE(taken.ok());
  EXPECT_TRUE(taken->warnings.empty());
}

TEST(Import, LittleThatMatchesIsAWarningWithItsShare) {
  const auto resolved = resolve(kModel);
  const Written file("[\n" + ort("other", "Relu", 0, 30) + ort("conv1", "Conv", 40, 10) +
                     std::string(kRun) + "]");
  const Imported in = import_file(file.path(), {.model = model_of(&resolved)}).value();
  ASSERT_EQ(in.warnings.size(), 1U);
  EXPECT_EQ(in.warnings[0],
            "only layers with 25.0 % of the time match nodes of the model: is it a recording of "
            "this model?");
}

TEST(Import, ACompanionOfAnotherFormatIsRefused) {
  const Written file("[\n" + ort("a", "Relu", 0, 30) + std::string(kRun) + "]");
  for (const ImportOptions& options :
       {ImportOptions{.layer_info = "x"}, ImportOptions{.times = "x"},
        ImportOptions{.exec_graph = "x"}})
    EXPECT_EQ(import_file(file.path(), options).error().code(), "RIDGE-IMP-0005");
}

}  // namespace
}  // namespace ridge::imports
