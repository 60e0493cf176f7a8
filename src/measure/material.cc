// SPDX-License-Identifier: Apache-2.0
#include "measure/material.h"

#include <algorithm>

#include "measure/input_specs.h"
#include "onnx/external_checksum.h"

namespace ridge::measure {

using attribution::CanonicalOptions;

namespace {

/// The tensor of the model's file that has the elements of `copied`; nullptr if it is not an
/// initializer of the main graph.
const onnx::Tensor* original_of(const onnx::Document& file, const onnx::Tensor& copied) {
  for (const onnx::Tensor& t : file.model.graph.initializers)
    if (t.storage == copied.storage && t.external == copied.external && t.offset == copied.offset &&
        t.type == copied.type && t.elements == copied.elements && t.location == copied.location)
      return &t;
  return nullptr;
}

/// Error of a weight that cannot be located, with its name in the file instead of the copy's.
Error of_original(const attribution::Canonical& copy, const attribution::WeightSource& source,
                  Error error) {
  const onnx::Tensor* original = original_of(*copy.original, *source.tensor);
  if (original == nullptr) return error;
  onnx::WeightLocator locator(*copy.original);
  auto again = runtime::weight_of(locator, source.name, *original);
  return again.ok() ? std::move(error) : std::move(again).error();
}

}  // namespace

Result<std::vector<runtime::Weight>> weights_of(const attribution::Canonical& copy) {
  const auto is_external = [](const attribution::WeightSource& w) { return w.tensor->external; };
  if (std::ranges::any_of(copy.weights, is_external)) TRY(onnx::verify_checksums(*copy.original));
  std::vector<runtime::Weight> out;
  onnx::WeightLocator locator(*copy.original);
  for (const attribution::WeightSource& source : copy.weights) {
    auto weight = runtime::weight_of(locator, source.name, *source.tensor);
    if (!weight.ok()) return of_original(copy, source, std::move(weight).error());
    out.push_back(std::move(weight).value());
  }
  return out;
}

Result<Material> prepare(const analysis::Resolved& resolved, const Request& request,
                         CanonicalOptions::Sizes sizes) {
  CanonicalOptions options{.sizes = sizes, .seed = request.seed};
  if (request.weights_as_is) options.constants = CanonicalOptions::Constants::kAsIs;
  return prepare(resolved, request, TRY(attribution::canonicalise(resolved, options)));
}

Result<Material> prepare(const analysis::Resolved& resolved, const Request& request,
                         attribution::Canonical copy) {
  Material m{.copy = std::move(copy), .weights = {}, .inputs = {}};
  m.weights = TRY(weights_of(m.copy));
  m.inputs =
      TRY(runtime::Inputs::make(TRY(input_specs(resolved, m.copy, request.inputs, request.seed))));
  return m;
}

Result<Started> start(const runtime::Options& options, const Material& material) {
  Started out{.runtime = TRY(runtime::Runtime::spawn(options))};
  const runtime::Loaded loaded = TRY(out.runtime.load({.model = material.copy.bytes,
                                                       .weights = material.weights,
                                                       .dump = runtime::Dump::kNothing}));
  out.session = loaded.session;
  TRY(out.runtime.set_inputs(out.session, material.inputs));
  return out;
}

}  // namespace ridge::measure
