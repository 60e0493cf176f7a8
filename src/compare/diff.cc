// SPDX-License-Identifier: Apache-2.0
#include "compare/diff.h"

#include <algorithm>
#include <utility>

#include "analysis/signature.h"
#include "compare/match.h"
#include "compare/module_diff.h"
#include "compare/node_changes.h"

namespace ridge::compare {
namespace {

using analysis::Likeness;
using analysis::Resolved;
using analysis::signatures;
using analysis::Totals;
using graph::kNone;
using graph::NodeId;

bool expressions_differ(const Resolved& a, NodeId in_a, const Resolved& b, NodeId in_b) {
  const analysis::NodeCounts &x = a.counts(in_a), &y = b.counts(in_b);
  const auto differ = [&](ops::Dim p, ops::Dim q) {
    if (p.known() && q.known()) return p.value() != q.value();
    return a.dims().text(p) != b.dims().text(q);
  };
  return differ(x.macs, y.macs) || differ(x.flops, y.flops) || differ(x.special, y.special) ||
         differ(x.int_ops, y.int_ops) || differ(x.bytes_read, y.bytes_read) ||
         differ(x.bytes_written, y.bytes_written);
}

class Differ {
 public:
  Differ(const Resolved& a, const Resolved& b)
      : a_(a),
        b_(b),
        matching_(match_nodes(a, b)),
        keys_a_(signatures(a, Likeness::kWhole)),
        keys_b_(signatures(b, Likeness::kWhole)) {}

  Diff run() {
    std::size_t next_b = 0;
    const auto& order_b = matching_.order_b;
    const auto added = std::count(matching_.to_a.begin(), matching_.to_a.end(), kNone);
    out_.nodes.reserve(matching_.order_a.size() + static_cast<std::size_t>(added));
    const auto add_new = [&] {
      for (; next_b < order_b.size() && matching_.to_a[order_b[next_b]] == kNone; ++next_b)
        add(Change::kAdded, kNone, order_b[next_b]);
    };
    std::vector<std::uint32_t> place(order_b.size());
    for (std::uint32_t i = 0; i < order_b.size(); ++i) place[order_b[i]] = i;
    add_new();
    for (const NodeId n : matching_.order_a) {
      const NodeId partner = matching_.to_b[n];
      if (partner == kNone) {
        add(Change::kRemoved, n, kNone);
        continue;
      }
      add_pair(n, partner);
      // moved up in B; added nodes that follow it are already listed
      if (place[partner] < next_b) continue;
      for (; next_b <= place[partner]; ++next_b)
        if (matching_.to_a[order_b[next_b]] == kNone) add(Change::kAdded, kNone, order_b[next_b]);
      add_new();
    }
    for (std::vector<std::uint64_t>* keys : {&keys_a_, &keys_b_})
      std::vector<std::uint64_t>().swap(*keys);
    add_totals();
    matching_ = {};
    add_modules(out_, a_, b_);
    return std::move(out_);
  }

 private:
  void add(Change change, NodeId in_a, NodeId in_b) {
    ++out_.counts[static_cast<std::size_t>(change)];
    out_.nodes.push_back({change, in_a, in_b, {}});
  }

  void add_pair(NodeId in_a, NodeId in_b) {
    std::vector<std::string> what;
    if (keys_a_[in_a] != keys_b_[in_b]) what = changes(a_, in_a, b_, in_b);
    const graph::Node &from = a_.model().node(in_a), &to = b_.model().node(in_b);
    Change change = Change::kChanged;
    if (what.empty() && expressions_differ(a_, in_a, b_, in_b)) {
      what.emplace_back("work");
    } else if (what.empty()) {
      const bool moved = path(a_, in_a) != path(b_, in_b);
      if (from.name != to.name) what.emplace_back("name");
      if (moved) what.emplace_back("module");
      change = what.empty() ? Change::kSame : Change::kRenamed;
    }
    add(change, in_a, in_b);
    out_.nodes.back().what = std::move(what);
  }

  static std::string_view path(const Resolved& r, NodeId n) {
    return r.model().modules()[r.model().node(n).module].path;
  }

  void add_totals() {
    const Totals &a = a_.totals(), &b = b_.totals();
    const auto total = [&](std::string_view name, std::optional<std::int64_t> x,
                           std::optional<std::int64_t> y, int figure = -1) {
      const auto lacks = [&](const Totals& side) {
        return figure >= 0 && side.incomplete.test(static_cast<std::size_t>(figure));
      };
      const bool lacks_a = lacks(a), lacks_b = lacks(b);
      out_.totals.push_back({name, lacks_a ? std::nullopt : x, lacks_b ? std::nullopt : y,
                             lacks_a ? x : std::nullopt, lacks_b ? y : std::nullopt});
    };
    total("nodes", a.nodes, b.nodes);
    total("macs", number(a.macs), number(b.macs), Totals::kMacs);
    total("flops", number(a.flops), number(b.flops), Totals::kFlops);
    total("special", number(a.special), number(b.special), Totals::kSpecial);
    total("int_ops", number(a.int_ops), number(b.int_ops), Totals::kIntOps);
    total("params", a.params, b.params);
    total("weight_bytes", a.weight_bytes, b.weight_bytes);
    total("bytes_read", number(a.bytes_read), number(b.bytes_read), Totals::kBytesRead);
    total("bytes_written", number(a.bytes_written), number(b.bytes_written), Totals::kBytesWritten);
    total("peak_activation_bytes", number(a.peak_activation_bytes), number(b.peak_activation_bytes),
          Totals::kPeakActivationBytes);
  }

  const Resolved &a_, &b_;
  Matching matching_;
  std::vector<std::uint64_t> keys_a_, keys_b_;  // if equal, changes() is not needed
  Diff out_;
};

}  // namespace

Diff diff(const Resolved& a, const Resolved& b) { return Differ(a, b).run(); }

}  // namespace ridge::compare
