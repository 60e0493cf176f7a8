// SPDX-License-Identifier: Apache-2.0
// What is evaluated, and under which load. Plain data; evaluation.h has the function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/data/data.h"
#include "evaluation/record/mlperf.h"
#include "scenario/evaluation.h"
#include "session/measure_spec.h"

namespace ridge::evaluation {

/// Entries of a registry, or manifests, by which files were found: "digits@1.0.0"; "": by none.
struct EvaluationEntries {
  std::string model, data, labels;
};

/// A runtime that a manifest asks for.
struct WantedRuntime {
  std::string name;        ///< value of --runtimes: "ort"
  std::string constraint;  ///< on its version; "": any
  std::vector<std::pair<std::string, std::string>> options;

  bool operator==(const WantedRuntime&) const = default;
};

struct EvaluationRequest {
  std::string model;
  EvaluationEntries entries;
  session::MeasureSpec spec;  ///< runtimes, threads of each run, sizes, options
  std::int64_t batch = 0;     ///< size of the inputs' free leading dimensions; 0: the spec's
  scenario::Scenario scenario;
  std::vector<std::string> mix;  ///< the models that Scenario::mix has shares of
  std::string trace;             ///< file with the times of a scenario::Replay; "": none
  std::optional<scenario::LatencyBound> bound;
  /// Real data; without it queries take seeded samples.
  EvaluationData data;
  std::uint32_t samples = 64;     ///< seeded ones, at most; fewer where they take much memory
  bool load = true;               ///< false: accuracy alone
  std::string outputs;            ///< folder for the outputs of each sample; "": none
  std::size_t shown_answers = 0;  ///< samples whose answer is kept as text
  /// Search the largest rate of a server that keeps the bound, and evaluate the model there.
  bool find_peak = false;
  double peak_budget_s = 300;
  /// Queries of each runtime that run with its profiler after the load, for a trace; 0: none.
  std::uint32_t profiled_queries = 0;
  MlperfRequest mlperf;               ///< by LoadGen's rules, with its logs
  std::vector<WantedRuntime> wanted;  ///< versions that a manifest asks for
  std::string class_names;  ///< file with a line for each class, which the scores must be; "": none
};

}  // namespace ridge::evaluation
