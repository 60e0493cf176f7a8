// From one execution of each node to the figures that are shown: executions, parameters, totals.
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

/// How often a graph runs for one execution of its owner.
struct Trips {
  ops::Dim count{1};
  ops::Dim most{};          ///< an upper bound where `count` is unknown
  std::string_view reason;  ///< why it is 0 or unknown
};

/// What the last step needs of a resolved model, and where it leaves its results.
/// Weights that a value packs into its elements, several into each.
using Packed = std::unordered_map<graph::ValueId, std::int64_t>;

struct CountTables {
  const graph::Model& model;
  const std::vector<ops::Type>& types;
  const Provenance& provenance;
  const std::vector<Trips>& trips;  ///< by GraphId
  ops::DimPool& dims;
  CountTable& counts;    ///< in: of one execution; out: over all executions, with parameters
  const Packed& packed;  ///< as operators read them
  std::vector<ops::Dim>& repeats;                         ///< out; by GraphId
  std::unordered_map<graph::NodeId, ops::Dim>& macs_max;  ///< as `counts`; only where there is one
  Totals& totals;                                         ///< out; all but the peak of activations
};

/// Errors (input class): a total past 2^63 - 1.
Result<void> finish_counts(CountTables tables);

/// "Conv", "com.acme.Op".
std::string operator_name(const graph::Node& node);

/// What the bodies of a node are to it.
enum class Bodies : std::uint8_t {
  kNone,
  kCall,
  kIf,
  kLoop,
  kScan,
  kBatchedScan,  ///< of opset 8, soon withdrawn
  kMap,
  kModifiers,  ///< the node does work of its own; its bodies change something on the way
  kOther
};
Bodies bodies_of(const graph::Node& node);

}  // namespace ridge::analysis
