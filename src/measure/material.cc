#include "measure/material.h"

#include "measure/input_specs.h"

namespace ridge::measure {

using attribution::CanonicalOptions;

Result<std::vector<runtime::Weight>> weights_of(const attribution::Canonical& copy) {
  std::vector<runtime::Weight> out;
  onnx::WeightLocator locator(*copy.original);
  for (const attribution::WeightSource& source : copy.weights)
    out.push_back(TRY(runtime::weight_of(locator, source.name, *source.tensor)));
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
