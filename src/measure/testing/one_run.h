// SPDX-License-Identifier: Apache-2.0
// One profiled and attributed run of a model in a real runtime: `ridge profile` without its
// statistics, for tests that run many models.
//
//   SKIP_WITHOUT("ort");
//   OneRun one = must(run_once(options("ort"), resolved));
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "attribution/attributor.h"
#include "attribution/conservation.h"
#include "measure/collect.h"
#include "measure/input_specs.h"
#include "measure/join.h"
#include "measure/runtime_layers.h"
#include "onnx/weights.h"
#include "runtime/paths.h"
#include "runtime/runtime.h"

namespace ridge::measure::testing {

inline runtime::Options options(const char* runtime) {
  runtime::Options o;
  if (const Result<std::string> plugin = runtime::find_plugin(runtime); plugin.ok())
    o.plugin = *plugin;
  o.folders = runtime::library_folders(*runtime::known_runtime(runtime), {});
  return o;
}

inline bool installed(const char* runtime) {
  return runtime::find_plugin(runtime).ok() && runtime::Runtime::spawn(options(runtime)).ok();
}

#define SKIP_WITHOUT(runtime)                         \
  if (!::ridge::measure::testing::installed(runtime)) \
  GTEST_SKIP() << "the runtime '" << (runtime) << "' is not installed"

struct OneRun {
  attribution::Attribution attribution;
  std::vector<std::int64_t> executions;  ///< by kernel of the attribution
  std::size_t unknown = 0;               ///< kernels that ran but that the attribution lacks
};

inline Result<std::vector<runtime::Weight>> weights_of(const attribution::Canonical& copy) {
  onnx::WeightLocator locator(*copy.original);
  std::vector<runtime::Weight> out;
  for (const attribution::WeightSource& w : copy.weights)
    out.push_back(TRY(runtime::weight_of(locator, w.name, *w.tensor)));
  return out;
}

/// Errors: any failure on the way, including MACs or nodes lost in attribution.
inline Result<OneRun> run_once(const runtime::Options& options, const analysis::Resolved& r,
                               const std::map<std::string, std::string>& files = {}) {
  const attribution::Canonical copy = TRY(attribution::canonicalise(r));
  const std::vector<runtime::Weight> weights = TRY(weights_of(copy));
  const runtime::Inputs inputs = TRY(runtime::Inputs::make(TRY(input_specs(r, copy, files, 1))));
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(options));
  const runtime::Loaded loaded = TRY(
      runtime.load({.model = copy.bytes, .weights = weights, .dump = runtime::Dump::kStructure}));
  TRY(runtime.set_inputs(loaded.session, inputs));
  std::vector<ProcessMeasurement> measured(1);
  runtime::Measurement& m = measured[0].measurement;
  m = TRY(runtime.measure(loaded.session, {.warmup_runs = 0, .min_rounds = 1, .max_rounds = 1}));
  if (m.failure) return std::move(*m.failure);
  const Collected collected = collect(measured);
  const attribution::OptimizedGraph graph = TRY(optimized_of(loaded.graph, runtime.info()));
  const std::vector<graph::NodeId> kernels = kernels_of(collected, graph);

  OneRun one;
  one.executions.assign(graph.model->nodes().size(), 0);
  std::vector<bool> executed(one.executions.size(), false);
  if (!collected.processes[0].profiled.empty())
    for (const Event& e : collected.processes[0].profiled[0].events) {
      if (kernels[e.kernel] == graph::kNone) {
        ++one.unknown;
        continue;
      }
      ++one.executions[kernels[e.kernel]];
      executed[kernels[e.kernel]] = true;
    }
  one.attribution = TRY(attribution::attribute(r, copy, graph));
  attribution::drop_unexecuted(one.attribution, executed);
  TRY(attribution::check_conservation(r, one.attribution));
  return one;
}

}  // namespace ridge::measure::testing
