// What work changed from one model to another, node by node.
//
//   const Diff d = diff(a, b);
//   for (const NodeDiff& n : d.nodes) if (n.change == Change::kAdded) …
//
// Work is of the same sizes or of two different ones: each side is resolved by itself. A figure's
// difference is nullopt where either side is no number.
// Ownership: keeps no model; node ids and paths of modules are those of the two sides.
// Cost: that of match_nodes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::compare {

enum class Change : std::uint8_t {
  kSame,
  kRenamed,  ///< another name or module, all else the same
  kChanged,  ///< attributes, constants, types or work
  kAdded,
  kRemoved
};
inline constexpr std::size_t kChanges = 5;
/// "same", "renamed", "changed", "added", "removed".
std::string_view name(Change change);

/// The figures that are compared, in the order of `figure_names`.
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

/// Of what is not there: 0. Only integers count; there may be a row per module of a large model.
using Figures = std::array<ops::Dim, kFigures>;
inline constexpr Figures kNoWork = {ops::Dim(0), ops::Dim(0), ops::Dim(0), ops::Dim(0),
                                    ops::Dim(0), ops::Dim(0), ops::Dim(0)};
/// nullopt: no number.
std::optional<std::int64_t> at(const Figures& figures, Figure which);
/// b - a.
Figures difference(const Figures& a, const Figures& b);

struct NodeDiff {
  Change change = Change::kSame;
  graph::NodeId a = graph::kNone, b = graph::kNone;
  /// "kernel_shape [3, 3] -> [5, 5]", "output 0 float32 [1, 8] -> float32 [1, 16]", "name".
  std::vector<std::string> what;
};

/// Of one node on its side; zeros for kNone.
Figures work_of(const analysis::Resolved& side, graph::NodeId node);
/// What changed in a node's work: that of B less that of A.
Figures change_of(const NodeDiff& node, const analysis::Resolved& a, const analysis::Resolved& b);

/// A module by its path in A; nodes of B count where their partners stand, those without one under
/// their own path. There may be as many as nodes, so what is inside is added up when asked for.
struct ModuleDiff {
  std::string_view path;  ///< of the model; empty: the whole model
  std::uint32_t depth = 0;
  std::uint32_t first = 0, last = 0;  ///< what is inside, in Diff::by_module
  bool differs = false;               ///< in work or in the number of nodes
};
struct ModuleWork {
  std::int64_t nodes_a = 0, nodes_b = 0;
  Figures work_a = kNoWork, work_b = kNoWork;
};

/// A total of the analysis on both sides.
struct TotalDiff {
  std::string_view name;                               ///< as in ridge.analysis/1
  std::optional<std::int64_t> a, b;                    ///< nullopt: lacks a node, or not known
  std::optional<std::int64_t> a_at_least, b_at_least;  ///< of a side that lacks a node
  bool at_least() const { return a_at_least || b_at_least; }
};

struct Diff {
  std::vector<NodeDiff> nodes;  ///< along A; what is added stands behind what it follows in B
  std::array<std::int64_t, kChanges> counts{};  ///< by Change
  std::vector<TotalDiff> totals;
  std::vector<ModuleDiff> modules;       ///< parents before children
  std::vector<std::uint32_t> by_module;  ///< places in `nodes`, those of a module together
};

/// Of a module of `diff`, with all that is inside. Cost: O(nodes inside).
ModuleWork module_work(const Diff& diff, const ModuleDiff& module, const analysis::Resolved& a,
                       const analysis::Resolved& b);

Diff diff(const analysis::Resolved& a, const analysis::Resolved& b);

}  // namespace ridge::compare
