// SPDX-License-Identifier: Apache-2.0
#include "compare/diff_rows.h"

#include "analysis/weights.h"
#include "base/checked.h"

namespace ridge::compare {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;

Figures work_of(const Resolved& r, NodeId n) {
  if (n == kNone) return kNoWork;
  const analysis::NodeCounts& c = r.counts(n);
  const ops::Dim params(analysis::passes_weight(r.model().kind(n)) ? 0 : c.params);
  return {c.macs, c.flops, c.special, c.int_ops, params, c.bytes_read, c.bytes_written};
}

Figures change_of(const NodeDiff& node, const Resolved& a, const Resolved& b) {
  return difference(work_of(a, node.a), work_of(b, node.b));
}

std::optional<std::int64_t> number(ops::Dim d) {
  return d.known() ? std::optional(d.value()) : std::nullopt;
}

std::optional<std::int64_t> at(const Figures& figures, Figure which) {
  return number(figures[static_cast<std::size_t>(which)]);
}

Figures difference(const Figures& a, const Figures& b) {
  Figures out;
  for (std::size_t i = 0; i < kFigures; ++i) {
    if (!a[i].known() || !b[i].known()) continue;
    if (const auto less = checked_sub(b[i].value(), a[i].value())) out[i] = ops::Dim(*less);
  }
  return out;
}

}  // namespace ridge::compare
