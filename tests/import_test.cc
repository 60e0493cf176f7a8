// SPDX-License-Identifier: Apache-2.0
// Imported recordings compared with the independent sums of tests/import/sum_recordings.py over the
// same files, and the work of layers with that of the model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

struct Recording {
  std::string name, format, file;
  std::string options = {};
};

std::string recording_name(const ::testing::TestParamInfo<Recording>& info) {
  return info.param.name;
}

class RecordingSums : public ::testing::TestWithParam<Recording> {};

TEST_P(RecordingSums, AreThoseOfTheRawFile) {
  const Workplace place;
  const Recording& r = GetParam();
  const fs::path data = source_tree() / "tests/data/imports";
  const Outcome outcome =
      place.run("cp '" + data.string() + "'/* .\nridge import " + r.file + " " + r.options +
                " --format json --output run.json 2>notes || cat notes\npython3 '" +
                (source_tree() / "tests/import/sum_recordings.py").string() + "' " + r.format +
                " " + r.file + " run.json");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

constexpr const char* kSmall = "--model small.onnx ";

INSTANTIATE_TEST_SUITE_P(
    Recordings, RecordingSums,
    ::testing::Values(
        Recording{"OrtAlone", "ort", "ort_squeezenet1_1.json"},
        Recording{"OrtJoined", "ort", "ort_squeezenet1_1.json", "--model zoo:squeezenet1_1"},
        Recording{"OrtSmall", "ort", "ort_small_batch4.json", kSmall},
        Recording{"OrtOptimised", "ort", "ort_small_batch4.json",
                  std::string(kSmall) + "--optimized-model ort_small_batch4_optimised.onnx"},
        Recording{
            "OrtExtended", "ort", "ort_small_batch4_extended.json",
            std::string(kSmall) + "--optimized-model ort_small_batch4_extended_optimised.onnx"},
        Recording{"OpenVinoTables", "openvino", "openvino_squeezenet1_1_detailed.csv"},
        Recording{"OpenVinoAverage", "openvino", "openvino_squeezenet1_1_average.csv"},
        Recording{"OpenVinoReport", "openvino", "openvino_small_batch4.json",
                  std::string(kSmall) + "--exec-graph openvino_small_batch4.xml"},
        Recording{"Trtexec", "trtexec", "trtexec_resnet18_synthetic.json"},
        Recording{"TrtexecDescribed", "trtexec", "trtexec_resnet18_synthetic.json",
                  "--layer-info trtexec_resnet18_synthetic_layers.json"}),
    recording_name);

TEST(RecordingMembers, OfAnOptimizedModelCarryAllWorkOfTheModelOnce) {
  const Workplace place;
  for (const std::string level : {"", "_extended"}) {
    const std::string recording = "ort_small_batch4" + level;
    const Outcome outcome =
        place.run(fmt::format("cp '{0}'/*small* .\nridge import {1}.json --model small.onnx "
                              "--optimized-model {1}_optimised.onnx --format json 2>notes",
                              (source_tree() / "tests/data/imports").string(), recording));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const nlohmann::json run = nlohmann::json::parse(outcome.out);
    std::int64_t macs = 0;
    std::size_t executed = 0;
    for (const auto& layer : run["layers"]) {
      macs += layer["macs"].get<std::int64_t>();
      for (const auto& member : layer["members"]) {
        EXPECT_NE(member["evidence"], "guess");
        executed += member["role"] == "executes" ? 1 : 0;
      }
    }
    // Two Conv and two Gemm, with input 4x3x16x12.
    EXPECT_EQ(macs, 4 * (16 * 16 * 12 * (3 + 16) * 9 + 32 * 16 + 10 * 32));
    EXPECT_EQ(executed + run["nodes_without_layer"].size(), 10U);
  }
}

}  // namespace
}  // namespace ridge::tests
