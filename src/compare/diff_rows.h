// SPDX-License-Identifier: Apache-2.0
// Differences in work between two models as rows: nodes, modules, totals, and their figures. Plain
// data; diff.h computes it.
//
// The difference of a figure is nullopt if either side is not a number. Ownership: refers to no
// model except for the module paths, which are views into the two models.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "base/words.h"

namespace ridge::compare {

enum class Change : std::uint8_t {
  kSame,
  kRenamed,  ///< different name or module, otherwise equal
  kChanged,  ///< attributes, constants, types or work
  kAdded,
  kRemoved
};
inline constexpr std::size_t kChanges = 5;

}  // namespace ridge::compare

namespace ridge {

template <>
struct Words<compare::Change> {
  using Change = compare::Change;
  static constexpr std::array list{Word{Change::kSame, "same"}, Word{Change::kRenamed, "renamed"},
                                   Word{Change::kChanged, "changed"}, Word{Change::kAdded, "added"},
                                   Word{Change::kRemoved, "removed"}};
};

}  // namespace ridge

namespace ridge::compare {

constexpr std::string_view name(Change change) { return word(change); }

/// Compared figures, in the order of `kFigureNames`.
enum class Figure : std::uint8_t {
  kMacs,
  kFlops,
  kSpecial,
  kIntOps,
  kParams,
  kBytesRead,
  kBytesWritten
};
inline constexpr std::size_t kFigures = 7;
inline constexpr std::array<std::string_view, kFigures> kFigureNames = {
    "macs", "flops", "special", "int_ops", "params", "bytes_read", "bytes_written"};

/// Figures of a node; 0 for a missing node. Only integers are computed with, since a large model
/// may have one row per module.
using Figures = std::array<ops::Dim, kFigures>;
inline constexpr Figures kNoWork = {ops::Dim(0), ops::Dim(0), ops::Dim(0), ops::Dim(0),
                                    ops::Dim(0), ops::Dim(0), ops::Dim(0)};
/// Returns the value of a size; nullopt if it is not a number.
std::optional<std::int64_t> number(ops::Dim d);
/// Returns nullopt if the figure is not a number.
std::optional<std::int64_t> at(const Figures& figures, Figure which);
/// Returns b - a; unknown if either side is unknown or on overflow.
Figures difference(const Figures& a, const Figures& b);

struct NodeDiff {
  Change change = Change::kSame;
  graph::NodeId a = graph::kNone, b = graph::kNone;
  /// "kernel_shape [3, 3] -> [5, 5]", "output 0 float32 [1, 8] -> float32 [1, 16]", "name".
  std::vector<std::string> what;
};

/// Figures of one node on its side; zeros for kNone.
Figures work_of(const analysis::Resolved& side, graph::NodeId node);
/// Change of a node's work: B's less A's.
Figures change_of(const NodeDiff& node, const analysis::Resolved& a, const analysis::Resolved& b);

/// A module, identified by its path in A; nodes of B count in the module of their partners, those
/// without a partner under their own path. There may be as many modules as nodes, so their work is
/// summed only on request (module_work).
struct ModuleDiff {
  std::string_view path;  ///< view into the model; empty: the whole model
  std::uint32_t depth = 0;
  /// range of its nodes in Diff::by_module, descendants included
  std::uint32_t first = 0, last = 0;
  bool differs = false;  ///< true if work or the number of nodes differ
};
/// One total of the analysis, on both sides.
struct TotalDiff {
  std::string_view name;             ///< key in ridge.analysis/1
  std::optional<std::int64_t> a, b;  ///< nullopt: incomplete or unknown
  /// lower bound on a side whose total is incomplete
  std::optional<std::int64_t> a_at_least, b_at_least;
  bool at_least() const { return a_at_least || b_at_least; }
};

struct Diff {
  std::vector<NodeDiff> nodes;  ///< in the order of A; added nodes follow their predecessor in B
  std::array<std::int64_t, kChanges> counts{};  ///< number of nodes per Change
  std::vector<TotalDiff> totals;
  std::vector<ModuleDiff> modules;       ///< parents before children
  std::vector<std::uint32_t> by_module;  ///< indices into `nodes`, nodes of one module contiguous
};

}  // namespace ridge::compare
