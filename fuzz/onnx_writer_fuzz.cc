// SPDX-License-Identifier: Apache-2.0
// Models that can be read, written to files in each of the three ways of storing weights: they read
// back as the same model, with the same elements unless the weights are detached.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "check.h"
#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/weights.h"
#include "onnx/writer.h"

namespace {

namespace onnx = ridge::onnx;

constexpr onnx::Limits kLimits{.memory = std::int64_t{256} << 20};

using ridge::fuzz::check;

/// Elements of all initializers that can be loaded, concatenated.
std::string elements(const onnx::Document& document) {
  std::string all;
  for (const onnx::Tensor& t : document.model.graph.initializers) {
    const auto loaded = onnx::load(document, t, std::int64_t{64} << 20);
    if (!loaded.ok()) continue;
    all.append(reinterpret_cast<const char*>(loaded->data()), loaded->size());
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const onnx::testing::TemporaryFolder folder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto document = onnx::read_bytes(bytes, "fuzz", kLimits);
  if (!document.ok()) return 0;
  const std::string path = folder.path("m.onnx");
  const auto inside = onnx::write_bytes(*document);
  for (const onnx::Weights weights :
       {onnx::Weights::kInline, onnx::Weights::kExternal, onnx::Weights::kDetached}) {
    const auto written = onnx::write_file(*document, path, {weights, "m.data"});
    if (!inside.ok()) continue;  // for example, external data is missing
    check(written.ok());
    const auto back = onnx::read_file(path, kLimits);
    check(back.ok());
    check(back->model.graph.nodes.size() == document->model.graph.nodes.size());
    if (weights == onnx::Weights::kDetached) continue;
    check(elements(*back) == elements(*document));
    check(onnx::write_bytes(*back).value() == *inside);
  }
  return 0;
}
