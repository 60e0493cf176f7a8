// SPDX-License-Identifier: Apache-2.0
// Changes between two models, for human readers and spreadsheets.
//
//   const DiffSides sides{a, b};
//   write_diff_text(compare::diff(a, b), sides, {.top = 20}, sink);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "compare/diff_rows.h"

namespace ridge::exports {

struct DiffSides {
  const analysis::Resolved& a;
  const analysis::Resolved& b;
  std::string_view fuse = "none";  ///< see analysis/traffic/fused_bytes.h
};

/// Node of B, or of A where B lacks it.
inline graph::Node node_of(const compare::NodeDiff& n, const DiffSides& sides) {
  return n.b == graph::kNone ? sides.a.model().node(n.a) : sides.b.model().node(n.b);
}

struct DiffPage {
  std::size_t top = 20;                     ///< rows of the table of nodes
  std::optional<std::uint32_t> depth = {};  ///< for modules; absent: what fits a screen
};

/// Writes both models, totals with differences, the changed nodes (largest change of work first),
/// and the modules whose work changed.
void write_diff_text(const compare::Diff& diff, const DiffSides& sides, const DiffPage& page,
                     Sink& sink);
void write_diff_markdown(const compare::Diff& diff, const DiffSides& sides, const DiffPage& page,
                         Sink& sink);

/// Rows of write_diff_csv, in order: the nodes that differ, or all. An unknown figure is an empty
/// cell.
enum class DiffRows : std::uint8_t { kDifferent, kAll };
void write_diff_csv(const compare::Diff& diff, const DiffSides& sides, DiffRows rows, Sink& sink);

}  // namespace ridge::exports
