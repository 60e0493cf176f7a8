// What evaluations showed, a point for each runtime. Plain data; evaluation.h makes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bound_sizes.h"
#include "base/error.h"
#include "manifest/lock.h"
#include "runtime/types.h"
#include "scenario/evaluation.h"
#include "scenario/peak_search.h"
#include "workbench/evaluation_accuracy.h"

namespace ridge::workbench {

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
  manifest::Lock lock;
  std::string stored;  ///< JSON of a point that a store had; "": it was evaluated now
};

struct Evaluation {
  std::string model, graph_hash, host, ridge;
  analysis::BoundSizes sizes;
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  bool load = true;
  std::vector<EvaluatedPoint> points;
  manifest::Lock lock;               ///< lock of all points
  std::optional<Error> store_error;  ///< set if a point could not be stored: the reason
};

}  // namespace ridge::workbench
