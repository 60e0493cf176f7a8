// SPDX-License-Identifier: Apache-2.0
// ridge.diff/1 as structs, described in diff_describe.h. Views: they borrow from the diff and both
// models.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/sizes/bound_sizes.h"
#include "compare/diff_rows.h"
#include "record/stream.h"

namespace ridge::exports {

struct DiffSideView {
  std::string_view path;
  std::string graph_hash;
  analysis::BoundSizes bindings;
};

struct ChangeCounts {
  std::array<std::int64_t, compare::kChanges> by_change{};
};

struct WorkView {
  compare::Figures figures = compare::kNoWork;
};

struct DiffNodeSide {
  graph::NodeId index = 0;
  std::string_view name, module;
  WorkView work;
};

struct DiffNodeView {
  compare::Change change = compare::Change::kSame;
  std::string_view op_type, domain;
  std::optional<DiffNodeSide> a, b;
  std::span<const std::string> what;
  WorkView difference;
};

struct DiffModuleSide {
  std::int64_t nodes = 0;
  WorkView work;
};

struct DiffModuleView {
  std::string_view path;
  std::uint32_t depth = 0;
  DiffModuleSide a, b;
};

struct DiffView {
  DiffSideView a, b;
  std::string_view fuse;  ///< "": nothing runs as one
  ChangeCounts counts;
  std::vector<std::pair<std::string, compare::TotalDiff>> totals;
  record::Stream<DiffNodeView> nodes;
  record::Stream<DiffModuleView> modules;
};

}  // namespace ridge::exports
