#include "analysis/summary.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/weights.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

void add(std::int64_t& sum, ops::Dim figure) {
  if (figure.known()) sum = checked_add(sum, figure.value()).value_or(INT64_MAX);
}

void add(Group& group, const NodeCounts& c, const graph::Node& node) {
  ++group.nodes;
  add(group.macs, c.macs);
  add(group.flops, c.flops);
  add(group.special, c.special);
  add(group.int_ops, c.int_ops);
  add(group.bytes, c.bytes_read);
  add(group.bytes, c.bytes_written);
  if (!passes_weight(node)) add(group.params, ops::Dim(c.params));
  if (c.status == Status::kUnknown) ++group.unknown;
}

std::int64_t known(ops::Dim d) { return d.known() ? d.value() : 0; }

/// Multiply-accumulates first; the rest only breaks ties, as doubles because it is not shown.
auto rank(const NodeCounts& c) {
  const double other = static_cast<double>(known(c.flops)) + static_cast<double>(known(c.special)) +
                       static_cast<double>(known(c.int_ops));
  const double bytes =
      static_cast<double>(known(c.bytes_read)) + static_cast<double>(known(c.bytes_written));
  return std::tuple(known(c.macs), other, bytes);
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
  std::map<std::pair<std::string_view, std::string_view>, Group> groups;
  const auto nodes = resolved.model().nodes();
  for (graph::NodeId n = 0; n < nodes.size(); ++n) {
    const graph::Node node = nodes[n];
    add(groups[{node.domain, node.op_type}], resolved.counts(n), node);
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
  std::vector<graph::NodeId> ids;
  const auto nodes = static_cast<graph::NodeId>(resolved.model().nodes().size());
  for (graph::NodeId n = 0; n < nodes; ++n)
    if (rank(resolved.counts(n)) > std::tuple<std::int64_t, double, double>(0, 0, 0))
      ids.push_back(n);
  const auto more = [&](graph::NodeId a, graph::NodeId b) {
    const auto x = rank(resolved.counts(a)), y = rank(resolved.counts(b));
    return x != y ? x > y : a < b;
  };
  count = std::min(count, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), more);
  ids.resize(count);
  return ids;
}

std::optional<double> intensity(const NodeCounts& c) {
  return ratio({c.flops, c.special, c.int_ops}, c.macs, c.bytes_read, c.bytes_written);
}

std::optional<double> intensity(const Totals& t) {
  return ratio({t.flops, t.special, t.int_ops}, t.macs, t.bytes_read, t.bytes_written);
}

}  // namespace ridge::analysis
