// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/fused_bytes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/node_bytes.h"
#include "analysis/resolver.h"
#include "analysis/traffic/fuser.h"

namespace ridge::analysis {
namespace {

using graph::NodeId;
using graph::ValueId;

struct Moved {
  std::int64_t read = 0, written = 0;
};

class FusedBytes {
 public:
  FusedBytes(const Resolved& r, Fuse how) : r_(r), fusion_(assume_fusion(r, how)), bytes_(r, 0) {}

  /// Bytes of one execution.
  Moved of(NodeId n) {
    Moved out;
    if (fusion_.folded[n]) return out;
    for (const NodeRead& at : bytes_.reads(n)) {
      const auto taken = fusion_.instead.find({n, at.value});
      const bool replaced = taken != fusion_.instead.end();
      if (!replaced && fusion_.inside[at.value]) continue;
      const ValueId v = replaced ? taken->second : at.value;
      if (!seen_.insert({fusion_.runs_with[n], v}).second) continue;
      const std::int64_t size = replaced ? value_bytes(r_, v).value_or(0) : at.size;
      out.read += replaced ? proportion(std::min(at.touched, at.size), size, at.size) : at.touched;
    }
    for (const NodeWrite& at : bytes_.writes(n))
      if (!fusion_.inside[at.value]) out.written += at.bytes;
    return out;
  }
  bool known(NodeId n) const { return bytes_.known(n); }

 private:
  const Resolved& r_;
  Fusion fusion_;
  NodeBytes bytes_;
  std::set<std::pair<NodeId, ValueId>> seen_;
};

}  // namespace

void Resolver::set_bytes(Resolved& resolved, const std::vector<NodeCounts>& counts) {
  Totals& totals = resolved.totals_;
  totals.bytes_read = totals.bytes_written = ops::Dim(0);
  for (NodeId n = 0; n < counts.size(); ++n) {
    if (!counts[n].bytes_read.unknown())
      totals.bytes_read = resolved.dims_->add(totals.bytes_read, counts[n].bytes_read);
    if (!counts[n].bytes_written.unknown())
      totals.bytes_written = resolved.dims_->add(totals.bytes_written, counts[n].bytes_written);
    resolved.counts_.set(n, counts[n]);
  }
}

Resolved with_fused_bytes(Resolved resolved, Fuse how) {
  if (how == Fuse::kNone) return resolved;
  std::vector<NodeCounts> counts;
  {
    FusedBytes fused(resolved, how);
    ops::DimPool& dims = resolved.dims();
    // Groups are formed in the order in which nodes run.
    counts.resize(resolved.model().nodes().size());
    for (NodeId n = 0; n < counts.size(); ++n) counts[n] = resolved.counts(n);
    for (const graph::Graph& g : resolved.model().graphs()) {
      for (const NodeId n : g.order) {
        if (!fused.known(n)) continue;
        const Moved moved = fused.of(n);
        counts[n].bytes_read = dims.mul(ops::Dim(moved.read), resolved.repeat(n));
        counts[n].bytes_written = dims.mul(ops::Dim(moved.written), resolved.repeat(n));
      }
    }
  }
  Resolver::set_bytes(resolved, counts);
  return resolved;
}

}  // namespace ridge::analysis
