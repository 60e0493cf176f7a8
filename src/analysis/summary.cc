// SPDX-License-Identifier: Apache-2.0
#include "analysis/summary.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/weights.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

void add_saturated(std::int64_t& sum, ops::Dim figure) {
  if (figure.known()) sum = checked_add(sum, figure.value()).value_or(INT64_MAX);
}

/// Ownership of the parameters a node reads: a node that only passes weights on leaves them to the
/// readers of its output.
enum class Params : std::uint8_t { kOwn, kHandedOn };

void add_saturated(Group& group, const NodeCounts& c, Params params) {
  ++group.nodes;
  add_saturated(group.macs, c.macs);
  add_saturated(group.flops, c.flops);
  add_saturated(group.special, c.special);
  add_saturated(group.int_ops, c.int_ops);
  add_saturated(group.bytes, c.bytes_read);
  add_saturated(group.bytes, c.bytes_written);
  if (params == Params::kOwn) add_saturated(group.params, ops::Dim(c.params));
  if (c.status == Status::kUnknown) ++group.unknown;
  group.incomplete |= unknown_figures(c);
}

std::int64_t known_or_zero(ops::Dim d) { return d.known() ? d.value() : 0; }

/// Sort key: MACs, then other operations, then bytes. Ties use doubles, as the sums are not
/// displayed.
auto rank(const NodeCounts& c) {
  const double other = static_cast<double>(known_or_zero(c.flops)) +
                       static_cast<double>(known_or_zero(c.special)) +
                       static_cast<double>(known_or_zero(c.int_ops));
  const double bytes = static_cast<double>(known_or_zero(c.bytes_read)) +
                       static_cast<double>(known_or_zero(c.bytes_written));
  return std::tuple(known_or_zero(c.macs), other, bytes);
}

std::optional<double> ratio(std::initializer_list<ops::Dim> work, ops::Dim macs, ops::Dim read,
                            ops::Dim written) {
  if (!macs.known() || !read.known() || !written.known()) return std::nullopt;
  double operations = 2 * static_cast<double>(macs.value());
  for (const ops::Dim d : work) {
    if (!d.known()) return std::nullopt;
    operations += static_cast<double>(d.value());
  }
  const double bytes = static_cast<double>(read.value()) + static_cast<double>(written.value());
  if (bytes == 0) return std::nullopt;
  return operations / bytes;
}

}  // namespace

std::vector<Group> by_operator(const Resolved& resolved) {
  // Kinds that differ only in version are one operator.
  std::map<std::pair<std::string_view, std::string_view>, Group> groups;
  struct Operator {
    Group* group;
    Params params;
  };
  std::vector<Operator> operators;
  for (const graph::NodeKind& kind : resolved.model().kinds())
    operators.push_back({&groups[{kind.domain, kind.op_type}],
                         passes_weight(kind) ? Params::kHandedOn : Params::kOwn});
  for (graph::NodeId n = 0; n < resolved.model().nodes().size(); ++n) {
    const Operator& op = operators[resolved.model().kind_of(n)];
    add_saturated(*op.group, resolved.counts(n), op.params);
  }
  std::vector<Group> rows;
  for (auto& [name, group] : groups) {
    group.key = name.first.empty() ? std::string(name.second)
                                   : std::string(name.first) + "." + std::string(name.second);
    rows.push_back(std::move(group));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Group& a, const Group& b) {
    const auto key = [](const Group& g) {
      return std::tuple(g.macs, static_cast<double>(g.flops) + static_cast<double>(g.special),
                        g.bytes);
    };
    return key(a) > key(b);
  });
  return rows;
}

std::vector<graph::NodeId> top_nodes(const Resolved& resolved, std::size_t count) {
  using Rank = decltype(rank(resolved.counts(0)));
  struct Ranked {
    Rank rank;
    graph::NodeId node;
  };
  const auto more = [](const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.node < b.node;
  };
  // Min-heap of the best nodes so far: the worst of them is on top.
  std::vector<Ranked> best;
  const auto nodes = static_cast<graph::NodeId>(resolved.model().nodes().size());
  for (graph::NodeId n = 0; n < nodes && count > 0; ++n) {
    const Ranked next{rank(resolved.counts(n)), n};
    if (!(next.rank > Rank())) continue;
    if (best.size() == count) {
      if (!more(next, best.front())) continue;
      std::pop_heap(best.begin(), best.end(), more);
      best.pop_back();
    }
    best.push_back(next);
    std::push_heap(best.begin(), best.end(), more);
  }
  std::sort_heap(best.begin(), best.end(), more);
  std::vector<graph::NodeId> ids;
  for (const Ranked& r : best) ids.push_back(r.node);
  return ids;
}

std::optional<double> intensity(const NodeCounts& c) {
  return ratio({c.flops, c.special, c.int_ops}, c.macs, c.bytes_read, c.bytes_written);
}

std::optional<double> intensity(const Totals& t) {
  std::bitset<7> lacking = t.incomplete;
  if (lacking.reset(Totals::kPeakActivationBytes).any()) return std::nullopt;
  return ratio({t.flops, t.special, t.int_ops}, t.macs, t.bytes_read, t.bytes_written);
}

}  // namespace ridge::analysis
