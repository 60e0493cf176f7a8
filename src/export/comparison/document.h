// SPDX-License-Identifier: Apache-2.0
// ridge.comparison/1 as structs, described in describe.h. Views: they borrow from the comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/sizes/bound_sizes.h"
#include "compare/rows.h"
#include "record/stream.h"

namespace ridge::exports {

/// A column.
struct ComparedRun {
  std::string_view label, kind, model, graph_hash, runtime, version;
  std::map<std::string, std::variant<std::int64_t, std::string>> options;
  analysis::BoundSizes bindings;
  std::optional<compare::Drift> drift;
  std::int64_t batch = 0;
  std::string machine;
  compare::JoinRate nodes;
};

/// A node as the first run whose model has it describes it.
struct ComparedNode {
  std::uint32_t run = 0, index = 0;
  std::string_view name, op_type;
};

struct ComparedRow {
  std::string_view name, module, op;
  std::vector<ComparedNode> nodes;
  std::span<const compare::Cell> runs;
};

struct ComparedTotals {
  std::optional<compare::Parts> time, difference;
  std::optional<double> explained;
  compare::Tally groups;
};

struct ComparisonView {
  double threshold = 0;
  bool interleaved = false;
  double false_discovery_rate = compare::kFalseDiscoveryRate;
  std::vector<ComparedRun> runs;
  ComparedRow latency;
  record::Stream<ComparedRow> groups, modules, operators;
  ComparedRow inserted, unattributed;
  std::vector<ComparedTotals> totals;
  double best_of_each_ns = 0;
  std::size_t nodes_without_layer = 0;
  std::span<const std::string> notes;
};

}  // namespace ridge::exports
