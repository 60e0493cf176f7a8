// SPDX-License-Identifier: Apache-2.0
#include "bricks/loader.h"

#include "attribution/attributor.h"
#include "attribution/names.h"
#include "measure/runtime_layers.h"

namespace ridge::bricks {

using attribution::Canonical;
using attribution::OptimizedGraph;
using runtime::Runtime;

namespace {

Result<Runtime*> alive(std::optional<Runtime>& runtime, const runtime::Options& options) {
  if (!runtime || !runtime->alive()) {
    runtime.reset();
    runtime.emplace(TRY(Runtime::spawn(options)));
  }
  return &*runtime;
}

}  // namespace

Result<Runtime*> Loader::runtime() { return alive(runtime_, options_); }

Result<runtime::RuntimeInfo> Loader::info() { return TRY(runtime())->info(); }

Result<OptimizedGraph> Loader::optimized(std::optional<Runtime>& runtime,
                                         const runtime::Options& options, const Canonical& copy) {
  Runtime& r = *TRY(alive(runtime, options));
  const std::vector<runtime::Weight> weights = TRY(blank_.of(copy));
  const runtime::Loaded loaded =
      TRY(r.load({.model = copy.bytes, .weights = weights, .dump = runtime::Dump::kStructure}));
  TRY(r.unload(loaded.session));
  return measure::optimized_of(loaded.graph, r.info());
}

Result<Network> Loader::load(const analysis::Resolved& resolved, Sizes sizes) {
  Canonical copy = TRY(attribution::canonicalise(resolved, {.sizes = sizes}));
  Result<OptimizedGraph> graph = optimized(runtime_, options_, copy);
  if (!graph.ok() && sizes == Sizes::kStatic && graph.error().error_class() == ErrorClass::kInput &&
      !resolved.bindings().empty()) {
    // Some models are refused with their sizes written into them, as in measure/job.cc.
    copy = TRY(attribution::canonicalise(resolved, {.sizes = Sizes::kAsDeclared}));
    Result<OptimizedGraph> again = optimized(runtime_, options_, copy);
    if (again.ok()) graph = std::move(again);
  }
  if (!graph.ok()) return attribution::with_original_names(graph.error(), resolved.model());
  return network(resolved, std::move(copy), std::move(*graph));
}

Result<Network> Loader::network(const analysis::Resolved& resolved, Canonical copy,
                                OptimizedGraph graph) {
  std::optional<OptimizedGraph> reference;
  if (attribution::needs_reference(copy, graph)) {
    runtime::Options lower = options_;
    lower.optimization = runtime::Optimization::kExtended;
    reference = TRY(optimized(reference_, lower, copy));
  }
  attribution::Attribution attribution =
      TRY(attribution::attribute(resolved, copy, graph, reference ? &*reference : nullptr));
  return make_network(resolved, std::move(copy), std::move(graph), std::move(attribution));
}

}  // namespace ridge::bricks
