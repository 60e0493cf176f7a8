// What evaluations showed, a point for each runtime. Plain data; evaluation.h makes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bound_sizes.h"
#include "runtime/types.h"
#include "scenario/evaluation.h"
#include "scenario/peak_search.h"
#include "workbench/evaluation_accuracy.h"

namespace ridge::workbench {

/// A session for batches of a size, and by how much memory it made the process grow.
struct BatchMemory {
  std::uint32_t size = 0;
  std::int64_t bytes = 0;
};

/// One model of a mix.
struct ModelFigures {
  std::string model;
  double share = 0;  ///< part of the queries, as asked
  std::uint32_t samples = 0;
  scenario::Figures figures;
};

struct EvaluatedPoint {
  runtime::RuntimeInfo runtime;
  std::string runtime_name;  ///< "ort"
  int threads = 1;
  std::uint32_t samples = 0;
  scenario::Scenario scenario;         ///< as run: the rate that was found, if it was searched
  std::optional<scenario::Peak> peak;  ///< the search for it
  std::optional<Accuracy> accuracy;    ///< with data
  scenario::Load load;
  scenario::Figures figures;
  scenario::Validity validity;
  std::vector<BatchMemory> batch_sessions;  ///< with batching
  std::vector<ModelFigures> models;         ///< each of a mix, the first one included
};

struct Evaluation {
  std::string model, graph_hash, host, ridge;
  analysis::BoundSizes sizes;
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  bool load = true;
  std::vector<EvaluatedPoint> points;
};

}  // namespace ridge::workbench
