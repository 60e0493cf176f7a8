// What changed between two models, for people and spreadsheets.
//
//   const DiffSides sides{a, b};
//   write_diff_text(compare::diff(a, b), sides, {.top = 20}, sink);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "compare/diff.h"

namespace ridge::exports {

struct DiffSides {
  const analysis::Resolved& a;
  const analysis::Resolved& b;
};

/// As B has it, or A where B lacks it.
inline graph::Node node_of(const compare::NodeDiff& n, const DiffSides& sides) {
  return n.b == graph::kNone ? sides.a.model().node(n.a) : sides.b.model().node(n.b);
}

struct DiffPage {
  std::size_t top = 20;                     ///< rows of the table of nodes
  std::optional<std::uint32_t> depth = {};  ///< of the table of modules; absent: what fits
};

/// Both models, totals with differences, the nodes that changed, most work first, and the modules
/// whose work changed.
void write_diff_text(const compare::Diff& diff, const DiffSides& sides, const DiffPage& page,
                     Sink& sink);
void write_diff_markdown(const compare::Diff& diff, const DiffSides& sides, const DiffPage& page,
                         Sink& sink);

/// One row per node that is not the same, in order, or per node with kAll; an unknown figure is an
/// empty cell.
enum class DiffRows : std::uint8_t { kDifferent, kAll };
void write_diff_csv(const compare::Diff& diff, const DiffSides& sides, DiffRows rows, Sink& sink);

}  // namespace ridge::exports
