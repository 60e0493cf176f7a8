// SPDX-License-Identifier: Apache-2.0
// EfficientNet-Lite0 of the zoo, compared with the file that scripts/efficientnet_lite0.py writes,
// whose weights have known answers; the tests of the script itself.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/testing/packaged.h"
#include "onnx/reader.h"
#include "zoo/zoo.h"

namespace ridge::zoo {
namespace {

using Dims = std::vector<std::int64_t>;

const onnx::Attribute* attribute(const onnx::Node& node, std::string_view name) {
  for (const onnx::Attribute& a : node.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

/// Padding of the network's convolutions that pad, each distinct one once, as in "3/2: 0 0 1 1"
/// (kernel/stride: top, left, bottom, right).
std::vector<std::string> paddings(const std::string& spec) {
  const onnx::Document doc = make(spec).value();
  std::vector<std::string> found;
  for (const onnx::Node& node : doc.model.graph.nodes) {
    if (node.op_type != "Conv") continue;
    const auto ints = [&](std::string_view name) { return attribute(node, name)->ints; };
    const auto pads = ints("pads");
    std::string text = fmt::format("{}/{}: {} {} {} {}", ints("kernel_shape")[0],
                                   ints("strides")[0], pads[0], pads[1], pads[2], pads[3]);
    if (pads[3] > 0 && std::find(found.begin(), found.end(), text) == found.end())
      found.push_back(std::move(text));
  }
  return found;
}

// tf.nn.convolution: of max((ceil(n / stride) - 1) * stride + kernel - n, 0) rows, half, rounded
// down, are on top.
TEST(EfficientNetLite, PadsAsTensorFlowDoes) {
  EXPECT_EQ(
      paddings("efficientnet_lite0"),
      (std::vector<std::string>{"3/2: 0 0 1 1", "3/1: 1 1 1 1", "5/2: 1 1 2 2", "5/1: 2 2 2 2"}));
  // Sides 65, 33, 17, 9, 5, 3: all odd.
  EXPECT_EQ(
      paddings("efficientnet_lite0,size=65"),
      (std::vector<std::string>{"3/2: 1 1 1 1", "3/1: 1 1 1 1", "5/2: 2 2 2 2", "5/1: 2 2 2 2"}));
}

std::string text_of(const onnx::Attribute& a) {
  return fmt::format("{}={}/{}/{}", std::string_view(a.name), a.i, a.f,
                     fmt::join(a.ints.begin(), a.ints.end(), ","));
}

/// One line per node, with its sorted attributes.
std::vector<std::string> nodes_of(const onnx::Document& doc) {
  std::vector<std::string> lines;
  for (const onnx::Node& n : doc.model.graph.nodes) {
    std::vector<std::string> attributes;
    for (const onnx::Attribute& a : n.attributes) attributes.push_back(text_of(a));
    std::sort(attributes.begin(), attributes.end());
    std::string line = fmt::format("{} {}", std::string_view(n.name), std::string_view(n.op_type));
    for (const auto& values : {n.inputs, n.outputs})
      for (const auto& value : values) line += fmt::format(" {}", std::string_view(value));
    lines.push_back(fmt::format("{} {}", line, fmt::join(attributes, " ")));
  }
  return lines;
}

std::map<std::string, Dims> weights_of(const onnx::Document& doc) {
  std::map<std::string, Dims> weights;
  for (const onnx::Tensor& t : doc.model.graph.initializers)
    weights[std::string(std::string_view(t.name))] = Dims(t.dims.begin(), t.dims.end());
  return weights;
}

TEST(EfficientNetLite, IsTheGraphOfTheFileWithTrainedWeights) {
  const std::filesystem::path path =
      analysis::testing::cache_folder() / "evaluation-data/efficientnet_lite0.onnx";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "scripts/fetch_evaluation_data.sh has not been able to run";
  const onnx::Document file = onnx::read_file(path.string()).value();
  const onnx::Document built = make("efficientnet_lite0").value();
  EXPECT_EQ(nodes_of(file), nodes_of(built));
  EXPECT_EQ(weights_of(file), weights_of(built));
}

TEST(EfficientNetLiteSlow, ThePickleOfItsWeightsIsReadAndHostileOnesAreRefused) {
  const char* source = std::getenv("RIDGE_SOURCE");
  const std::string script =
      fmt::format("{}/scripts/torch_file_test.py", source == nullptr ? "." : source);
  FILE* pipe = popen(fmt::format("python3 -B '{}' 2>&1", script).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::array<char, 4096> buffer{};
  std::string out;
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) out += buffer.data();
  EXPECT_EQ(pclose(pipe), 0) << out;
  EXPECT_TRUE(out.ends_with("\nOK\n")) << out;
}

}  // namespace
}  // namespace ridge::zoo
