// SPDX-License-Identifier: Apache-2.0
// A model with its weights outside, as runtimes get it, and inputs for it; for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "onnx/reader.h"
#include "onnx/writer.h"
#include "runtime/runtime.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/kept_model.h"

namespace ridge::runtime::testing {

struct Detached {
  explicit Detached(onnx::Document of) : document(std::move(of)) {
    bytes = expect_ok(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
    onnx::WeightLocator locator(document);
    for (const onnx::Tensor& tensor : document.model.graph.initializers)
      if (tensor.storage != onnx::Storage::kInline)
        weights.push_back(expect_ok(weight_of(locator, tensor.name, tensor)));
  }
  LoadRequest request(Dump dump = Dump::kNothing) const {
    return {.model = bytes, .weights = weights, .dump = dump};
  }

  onnx::Document document;
  std::string bytes;
  std::vector<Weight> weights;
};

/// The model prepared by a runtime of its own.
inline KeptModel prepared_by(const Options& options, const Detached& model) {
  Runtime runtime = expect_ok(Runtime::spawn(options));
  return expect_ok(keep(expect_ok(runtime.prepare(model.request()))));
}

/// Free sizes: 1 for the first of an input, 128 for others. Indices stay below 30,000.
inline Inputs inputs_for(const Loaded& loaded) {
  std::vector<InputSpec> specs;
  for (const TensorType& input : loaded.graph.inputs) {
    InputSpec spec{.name = input.name, .type = input.type, .dims = input.dims, .bound = 30'000};
    for (std::size_t i = 0; i < spec.dims.size(); ++i)
      if (spec.dims[i] < 0) spec.dims[i] = i == 0 ? 1 : 128;
    specs.push_back(std::move(spec));
  }
  return expect_ok(Inputs::make(specs));
}

/// The elements of all outputs of one run, one after the other.
inline std::string output_bytes(Runtime& runtime, const Loaded& loaded) {
  const Inputs inputs = inputs_for(loaded);
  expect_ok(runtime.set_inputs(loaded.session, inputs));
  const Outputs outputs = expect_ok(runtime.outputs(loaded.session));
  std::string bytes;
  for (const OutputTensor& tensor : outputs.tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return bytes;
}

}  // namespace ridge::runtime::testing
