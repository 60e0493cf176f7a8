// SPDX-License-Identifier: Apache-2.0
// Oracles: recordings written out below, whose sizes are derived by hand.
#include "import/sizes.h"

#include <gtest/gtest.h>

#include "import/testing.h"

namespace ridge::imports {
namespace {

using profile::Profile;

constexpr std::string_view kFree = R"(graph main
  input x[batch,3,height,8]
  constant w[4,3,1,1]
  conv1: Conv(x, w) -> c1
  relu1: Relu(c1) -> y
  output y
)";

ImportModel free_model(std::string_view sketch = kFree) {
  return {std::make_shared<const graph::Model>(
      graph::Model::build(graph::Sketch::document(sketch)).value())};
}

std::string kernel(int ts, std::string_view name, std::string_view op, std::string_view in,
                   std::string_view out) {
  return R"({"cat" : "Node","tid" :1,"dur" :10,"ts" :)" + std::to_string(ts) +
         R"(,"ph" : "X","name" :")" + std::string(name) +
         R"(_kernel_time","args" : {"op_name" : ")" + std::string(op) +
         R"(","input_type_shape" : [{"float":[)" + std::string(in) +
         R"(]},{"float":[4,3,1,1]}],"output_type_shape" : [{"float":[)" + std::string(out) +
         "]}]}},\n";
}

std::string run(int ts) {
  return R"({"cat" : "Session","tid" :1,"dur" :50,"ts" :)" + std::to_string(ts) +
         ",\"ph\" : \"X\",\"name\" :\"model_run\"},\n";
}

std::string recording_of_sizes(std::string_view in, std::string_view out) {
  return "[\n" + kernel(0, "conv1", "Conv", in, out) + run(0) + "]";
}

Result<Imported> imported_with(const std::string& content, ImportModel model) {
  const Written file(content);
  return import_file(file.path(), {.model = std::move(model)});
}

TEST(ImportSizes, AreThoseOfTheRecordingWhereNothingIsBound) {
  const Profile p =
      imported_with(recording_of_sizes("5,3,6,8", "5,4,6,8"), free_model()).value().profile;
  EXPECT_EQ(p.subject.bindings.at("batch").value, 5);
  EXPECT_FALSE(p.subject.bindings.at("batch").assumed);
  EXPECT_EQ(p.subject.bindings.at("height").value, 6);
  EXPECT_EQ(p.batch, 5);
  EXPECT_EQ(p.layers[0].work.macs, 5 * 4 * 3 * 6 * 8);
  EXPECT_TRUE(says(p, "sizes taken from the recording: batch=5, height=6"));
}

TEST(ImportSizes, ABindingThatContradictsIsTakenAndNamed) {
  ImportModel model = free_model();
  model.bindings.sizes["batch"] = {2, false};
  const Profile p = imported_with(recording_of_sizes("5,3,6,8", "5,4,6,8"), model).value().profile;
  EXPECT_EQ(p.layers[0].work.macs, 2 * 4 * 3 * 6 * 8);
  EXPECT_TRUE(says(p, "--bind has batch=2, the recording ran 5: work is that of 2"));
  model.bindings = {.shapes = {{"x", {5, 3, 9, 8}}}};
  EXPECT_TRUE(says(imported_with(recording_of_sizes("5,3,6,8", "5,4,6,8"), model).value().profile,
                   "--shape has height=9, the recording ran 6"));
}

TEST(ImportSizes, OfInputsWithoutNamesForThemAreTakenToo) {
  const std::string sketch =
      "graph main\n  input x[?,3,?,8]\n  constant w[4,3,1,1]\n"
      "  conv1: Conv(x, w) -> y\n  output y\n";
  const Profile p =
      imported_with(recording_of_sizes("5,3,6,8", "5,4,6,8"), free_model(sketch)).value().profile;
  EXPECT_EQ(p.layers[0].work.macs, 5 * 4 * 3 * 6 * 8);
  EXPECT_TRUE(says(p, "sizes taken from the recording: x=5x3x6x8"));
}

TEST(ImportSizes, OfAKernelThatARuleNamesCountWhereTheOthersAgree) {
  const std::string fits = "[\n" + kernel(0, "y_nchwc", "Conv", "5,3,6,8", "5,4,6,8") + run(0);
  const std::string padded = "[\n" + kernel(0, "y_nchwc", "Conv", "5,3,6,8", "5,16,6,8") + run(0);
  EXPECT_EQ(imported_with(fits + "]", free_model()).value().profile.batch, 5);
  const Result<Imported> blocked = imported_with(padded + "]", free_model());
  ASSERT_FALSE(blocked.ok());  // the height is unknown
}

TEST(ImportSizes, RunsOfDifferentSizesLeaveWorkOut) {
  const std::string text = "[\n" + kernel(0, "conv1", "Conv", "5,3,6,8", "5,4,6,8") + run(0) +
                           kernel(100, "conv1", "Conv", "7,3,6,8", "7,4,6,8") + run(100) + "]";
  const Profile p = imported_with(text, free_model()).value().profile;
  EXPECT_EQ(p.layers[0].work.macs, std::nullopt);
  EXPECT_TRUE(says(
      p,
      "runs differ in batch (--runs prefill, decode or N chooses): work, which is of one run, is "
      "left out"));
}

TEST(ImportSizes, AFixedSizeThatTheRecordingHasOtherwiseLeavesWorkOut) {
  const std::string sketch =
      "graph main\n  input x[1,3,6,8]\n  constant w[4,3,1,1]\n"
      "  conv1: Conv(x, w) -> y\n  output y\n";
  const Profile p =
      imported_with(recording_of_sizes("5,3,6,8", "5,4,6,8"), free_model(sketch)).value().profile;
  EXPECT_EQ(p.layers[0].work.macs, std::nullopt);
  EXPECT_TRUE(says(p, "'conv1' writes 5x4x6x8, the model says [1, 4, 6, 8]"));
}

// ONNX Runtime moves transposes past other operators, whose tensors then have another layout.
TEST(ImportSizes, AnotherOrderOfTheSameSizesIsNoContradiction) {
  const std::string sketch =
      "graph main\n  input x[batch,3,6,8]\n  constant w[4,3,1,1]\n"
      "  conv1: Conv(x, w) -> c1\n  relu1: Relu(c1) -> y\n  output y\n";
  const std::string text = "[\n" + kernel(0, "conv1", "Conv", "5,3,6,8", "5,4,6,8") +
                           kernel(20, "relu1", "Relu", "5,6,8,4", "5,6,8,4") + run(0) + "]";
  const Profile p = imported_with(text, free_model(sketch)).value().profile;
  EXPECT_EQ(p.layers[0].work.macs, 5 * 4 * 3 * 6 * 8);
  EXPECT_FALSE(says(p, "'relu1' writes 5x6x8x4, the model says [batch, 4, 6, 8]"));
}

TEST(ImportSizes, ComeFromTheEnginesInformationToo) {
  const Written info(R"({"Layers":[{"Name":"conv1","LayerType":"CaskConvolution",
    "Inputs":[{"Name":"x","Dimensions":[4,3,6,8],"Format/Datatype":"Half"}],
    "Outputs":[{"Name":"c1","Dimensions":[4,4,6,8],"Format/Datatype":"Half"}],
    "TacticName":"t"}]})");
  const std::string path = ::testing::TempDir() + "imported_profile.json";
  std::ofstream(path) << R"([{"count":2},{"name":"conv1","timeMs":2}])";
  const Profile p =
      import_file(path, {.model = free_model(), .layer_info = info.path()}).value().profile;
  std::filesystem::remove(path);
  EXPECT_EQ(p.subject.bindings.at("batch").value, 4);
  EXPECT_EQ(p.layers[0].work.macs, 4 * 4 * 3 * 6 * 8);
}

TEST(ImportSizes, AreThoseThatOperatorsOfPyTorchRead) {
  constexpr std::string_view kTrace = R"({"traceEvents": [
{"ph":"X","cat":"cpu_op","name":"aten::conv2d","pid":1,"tid":1,"ts":0,"dur":10,
 "args":{"Input Dims":[[5, 3, 6, 8], [4, 3, 1, 1]]}},
{"ph":"X","cat":"cpu_op","name":"aten::relu","pid":1,"tid":1,"ts":20,"dur":5,
 "args":{"Input Dims":[[5, 4, 6, 8]]}}]})";
  const Profile p = imported_with(std::string(kTrace), free_model()).value().profile;
  EXPECT_EQ(p.subject.bindings.at("batch").value, 5);
  EXPECT_EQ(p.subject.bindings.at("height").value, 6);
  EXPECT_TRUE(says(p, "sizes taken from the recording: batch=5, height=6"));
}

}  // namespace
}  // namespace ridge::imports
