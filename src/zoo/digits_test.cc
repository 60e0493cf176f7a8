// SPDX-License-Identifier: Apache-2.0
// The committed network of examples/digits, run by the plainest loops over its file's weights on
// digits that it was not trained on: an accuracy that no runtime and no training code had part in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/testing/packaged.h"
#include "onnx/reader.h"
#include "onnx/weights.h"

namespace ridge::zoo {
namespace {

using Floats = std::vector<float>;
constexpr std::size_t kPixels = std::size_t{28} * 28;

std::string network_path() {
  const char* source = std::getenv("RIDGE_SOURCE");
  return std::string(source == nullptr ? "." : source) + "/examples/digits/digits.onnx";
}

Floats weight(const onnx::Document& doc, std::string_view name) {
  for (const onnx::Tensor& t : doc.model.graph.initializers) {
    if (t.name != name) continue;
    const std::vector<std::byte> bytes = onnx::load(doc, t, 1 << 20).value();
    Floats values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  ADD_FAILURE() << "no weight " << name;
  return {};
}

struct Layer {
  Floats weight, bias;
  Layer(const onnx::Document& doc, const std::string& name)
      : weight(zoo::weight(doc, name + ".weight")), bias(zoo::weight(doc, name + ".bias")) {}
};

/// Convolution 3x3 with a border of zeros, then ReLU, then the maximum of each square of 2x2.
Floats conv_relu_pool(const Layer& layer, const Floats& x, std::size_t side) {
  const std::size_t in = x.size() / (side * side), out = layer.bias.size(), half = side / 2;
  Floats y(out * half * half);  // 0, the least that ReLU leaves
  for (std::size_t o = 0; o < out; ++o)
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column) {
        float sum = layer.bias[o];
        for (std::size_t i = 0; i < in * 9; ++i) {
          const std::size_t r = row + i % 9 / 3, c = column + i % 3;  // shifted by the border of 1
          if (r == 0 || c == 0 || r > side || c > side) continue;
          sum += layer.weight[o * in * 9 + i] * x[(i / 9 * side + r - 1) * side + c - 1];
        }
        float& best = y[(o * half + row / 2) * half + column / 2];
        best = std::max(best, sum);
      }
  return y;
}

Floats dense(const Layer& layer, const Floats& x) {
  Floats y = layer.bias;
  for (std::size_t o = 0; o < y.size(); ++o)
    for (std::size_t i = 0; i < x.size(); ++i) y[o] += layer.weight[o * x.size() + i] * x[i];
  return y;
}

struct HeldOut {
  std::vector<unsigned char> pixels;
  std::vector<int> labels;
};

/// Empty if they have not been fetched.
HeldOut held_out() {
  const std::filesystem::path folder =
      analysis::testing::cache_folder() / "evaluation-data/digits/held-out";
  HeldOut all;
  std::ifstream labels(folder / "labels.txt");
  for (int label = 0; labels >> label;) all.labels.push_back(label);
  std::ifstream images(folder / "images.npy", std::ios::binary);
  std::ostringstream content;
  content << images.rdbuf();
  const std::string bytes = content.str();
  const std::size_t size = all.labels.size() * kPixels;
  if (bytes.size() > size) all.pixels.assign(bytes.end() - static_cast<long>(size), bytes.end());
  return all;
}

TEST(Digits, IsTheNetworkThatItsPageDescribes) {
  EXPECT_LE(std::filesystem::file_size(network_path()), 300'000U);
  auto document = std::make_shared<const onnx::Document>(onnx::read_file(network_path()).value());
  auto model = std::make_shared<const graph::Model>(graph::Model::build(document).value());
  const analysis::Resolved r = analysis::resolve(model, {}, {{"batch", 1}}).value();
  EXPECT_EQ(r.totals().params, (9 + 1) * 8 + (72 + 1) * 16 + (784 + 1) * 64 + (64 + 1) * 10);
  EXPECT_EQ(r.totals().macs.value(), 784 * 9 * 8 + 196 * 72 * 16 + 784 * 64 + 64 * 10);
}

TEST(DigitsSlow, AnswersDigitsThatItNeverSaw) {
  const HeldOut data = held_out();
  if (data.labels.empty())
    GTEST_SKIP() << "scripts/fetch_evaluation_data.sh has not been able to run";
  ASSERT_EQ(data.pixels.size(), 2000 * kPixels);
  const onnx::Document doc = onnx::read_file(network_path()).value();
  const Layer conv1(doc, "conv1"), conv2(doc, "conv2"), fc1(doc, "fc1"), fc2(doc, "fc2");
  int right = 0;
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    Floats x(kPixels);
    for (std::size_t i = 0; i < kPixels; ++i)
      x[i] = static_cast<float>(data.pixels[n * kPixels + i]) / 255;
    x = dense(fc1, conv_relu_pool(conv2, conv_relu_pool(conv1, x, 28), 14));
    for (float& value : x) value = std::max(value, 0.0F);
    const Floats scores = dense(fc2, x);
    right += std::max_element(scores.begin(), scores.end()) - scores.begin() == data.labels[n];
  }
  EXPECT_EQ(right, 1971) << "the number on its page";
}

}  // namespace
}  // namespace ridge::zoo
