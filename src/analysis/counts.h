// SPDX-License-Identifier: Apache-2.0
// Final counting step: turns counts per execution of a node into executions, parameters and totals.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/weights.h"
#include "base/result.h"
#include "graph/model.h"

namespace ridge::analysis {

/// Number of times a graph runs per execution of its owner.
struct Trips {
  ops::Dim count{1};
  ops::Dim most{};          ///< upper bound where `count` is unknown
  std::string_view reason;  ///< why `count` is 0 or unknown
};

/// Number of weights that a packed value represents (several per element), by value.
using Packed = std::unordered_map<graph::ValueId, std::int64_t>;
/// Inputs of which only a part is read, by node.
using Parts = std::unordered_map<graph::NodeId, std::vector<PartRead>>;

/// Inputs and outputs of finish_counts.
struct CountTables {
  const graph::Model& model;
  const std::vector<ops::Type>& types;
  const Provenance& provenance;
  const std::vector<Trips>& trips;  ///< by GraphId
  ops::DimPool& dims;
  CountTable& counts;  ///< in: for one execution; out: over all executions, with parameters
  Packed& packed;      ///< in: by value, as operators read them; out: by root
  const Parts& parts;
  std::vector<ops::Dim>& repeats;  ///< output; by GraphId
  /// as `counts`; only where a bound exists
  std::unordered_map<graph::NodeId, ops::Dim>& macs_max;
  std::unordered_map<graph::NodeId, std::int64_t>& active_params;  ///< output; nodes with experts
  /// output; all but the peak of activations
  Totals& totals;
};

/// Errors (input class): a total above 2^63 - 1.
Result<void> finish_counts(CountTables tables);

/// Returns the operator's name with its domain, such as "Conv" or "com.acme.Op".
std::string operator_name(const graph::Node& node);

}  // namespace ridge::analysis
