// SPDX-License-Identifier: Apache-2.0
#include "analysis/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "analysis/counts.h"
#include "analysis/sibling_folds.h"
#include "analysis/weights.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

using graph::ModuleId;
using graph::NodeId;

/// Without an explicit depth, the maximal number of sibling rows; the others share one row.
constexpr std::size_t kMaxSiblings = 60;

std::int64_t value_or_most(std::optional<std::int64_t> n) { return n.value_or(INT64_MAX); }

class Outliner {
 public:
  Outliner(const Resolved& r, const OutlineOptions& options)
      : r_(r),
        options_(options),
        index_(r.model()),
        folds_(r, index_),
        depth_(options.depth ? *options.depth : fitting_depth()),
        work_(work_by_module(r, depth_)) {}

  std::vector<OutlineRow> run() {
    add_module({{0}, ""}, 0, 1);
    return std::move(rows_);
  }

 private:
  std::size_t shown(const std::vector<Fold>& folds) const {
    return options_.depth ? folds.size() : std::min(folds.size(), kMaxSiblings);
  }

  /// Number of rows below a module down to `depth` levels; may stop counting above `most`.
  std::size_t rows_below(ModuleId m, std::uint32_t depth, std::size_t most) {
    if (depth == 0 || index_.children(m).empty()) return 0;
    const std::vector<Fold> folds = folds_.of(index_.children(m));
    std::size_t rows = shown(folds) + (index_.nodes(m).empty() ? 0 : 1);
    for (std::size_t i = 0; i < shown(folds) && rows <= most; ++i)
      rows += rows_below(folds[i].modules[0], depth - 1, most);
    return rows;
  }

  std::uint32_t fitting_depth() {
    std::uint32_t deepest = 1;
    for (const graph::Module& m : r_.model().modules()) deepest = std::max(deepest, m.depth);
    std::uint32_t depth = 1;
    while (depth < deepest && rows_below(0, depth + 1, options_.rows) <= options_.rows) ++depth;
    return depth;
  }

  /// `times`: number of copies that the parent row represents.
  void add_module(const Fold& fold, std::uint32_t level, std::int64_t times) {
    const ModuleId m = fold.modules[0];
    const std::int64_t count = std::ssize(fold.modules);
    const bool open = level < depth_ && !index_.children(m).empty();
    OutlineRow row{.level = level, .count = count, .label = fold.label};
    row.work = multiplied(work_[m], count * times);
    if (!open) row.operators = operators_text(r_, nodes_inside(m));
    rows_.push_back(std::move(row));
    if (open) add_inside(m, level + 1, count * times);
  }

  void add_inside(ModuleId m, std::uint32_t level, std::int64_t times) {
    const std::vector<Fold> folds = folds_.of(index_.children(m));
    for (std::size_t i = 0; i < shown(folds); ++i) add_module(folds[i], level, times);
    if (folds.size() > shown(folds)) add_rest(std::span(folds).subspan(shown(folds)), level, times);
    if (!index_.nodes(m).empty()) add_own_nodes(m, level, times);
  }

  void add_rest(std::span<const Fold> folds, std::uint32_t level, std::int64_t times) {
    OutlineRow row{.kind = OutlineRow::Kind::kRest, .level = level, .count = 0};
    ModuleWork sum;
    for (const Fold& fold : folds) {
      row.count += std::ssize(fold.modules);
      for (const ModuleId m : fold.modules) {
        add_work(sum, work_[m], r_.dims());
        sum.params = value_or_most(checked_add(sum.params, work_[m].params));
      }
    }
    row.label = fmt::format("{} more", row.count);
    row.work = multiplied(sum, times);
    rows_.push_back(std::move(row));
  }

  void add_own_nodes(ModuleId m, std::uint32_t level, std::int64_t times) {
    OutlineRow row{.kind = OutlineRow::Kind::kOwnNodes, .level = level, .label = "(own nodes)"};
    const auto nodes = index_.nodes(m);
    ModuleWork sum;
    for (const NodeId n : nodes) {
      add_work(sum, r_.counts(n), r_.dims());
      if (!passes_weight(r_.model().kind(n)))
        sum.params = value_or_most(checked_add(sum.params, r_.counts(n).params));
    }
    row.operators = operators_text(r_, nodes);
    row.work = multiplied(sum, times);
    rows_.push_back(std::move(row));
  }

  ModuleWork multiplied(ModuleWork work, std::int64_t times) const {
    if (times == 1) return work;
    work.nodes *= times;
    work.unknown *= times;
    for (ops::Dim* figure : {&work.macs, &work.flops, &work.special, &work.int_ops,
                             &work.bytes_read, &work.bytes_written})
      *figure = r_.dims().mul(*figure, ops::Dim(times));
    // Copies may share their weights; together they have at most the model's parameters.
    work.params = std::min(value_or_most(checked_mul(work.params, times)),
                           std::max(work.params, work_[0].params));
    return work;
  }

  std::vector<NodeId> nodes_inside(ModuleId m) const {
    std::vector<NodeId> nodes;
    std::vector<ModuleId> pending{m};
    while (!pending.empty()) {
      const ModuleId next = pending.back();
      pending.pop_back();
      nodes.insert(nodes.end(), index_.nodes(next).begin(), index_.nodes(next).end());
      const auto children = index_.children(next);
      pending.insert(pending.end(), children.rbegin(), children.rend());
    }
    return nodes;
  }

  const Resolved& r_;
  const OutlineOptions& options_;
  ModuleIndex index_;
  SiblingFolds folds_;
  std::uint32_t depth_;  // depth of the rows that are shown
  WorkByModule work_;    // down to `depth_`
  std::vector<OutlineRow> rows_;
};

double known_double(ops::Dim d) { return d.known() ? static_cast<double>(d.value()) : 0; }

struct OnLayerDone {
  std::string name;
  std::int64_t count = 0;
  double macs = 0, bytes = 0;
  NodeId first = 0;
  bool works = false;  ///< some node is not a view, constant or similar
};

}  // namespace

std::vector<OutlineRow> outline(const Resolved& resolved, const OutlineOptions& options) {
  if (resolved.model().modules().size() < 2) return {};
  return Outliner(resolved, options).run();
}

std::string operators_text(const Resolved& r, std::span<const NodeId> nodes) {
  constexpr std::size_t kShown = 3, kWidth = 36;
  std::map<std::pair<std::string_view, std::string_view>, OnLayerDone> by_operator;
  for (const NodeId n : nodes) {
    const graph::Node& node = r.model().node(n);
    const NodeCounts& c = r.counts(n);
    OnLayerDone& told = by_operator[{node.domain, node.op_type}];
    if (told.count++ == 0) told.first = n;
    told.macs += known_double(c.macs);
    told.bytes += known_double(c.bytes_read) + known_double(c.bytes_written);
    if (told.name.empty()) told.name = operator_name(node);
    told.works = told.works || c.status != Status::kZero || told.bytes > 0;
  }
  std::vector<OnLayerDone> order;
  for (auto& [name, told] : by_operator) order.push_back(std::move(told));
  const auto key = [](const OnLayerDone& t) { return std::tuple(t.works, t.macs, t.bytes); };
  std::sort(order.begin(), order.end(), [&](const OnLayerDone& a, const OnLayerDone& b) {
    return key(a) != key(b) ? key(a) > key(b) : a.first < b.first;
  });
  std::string text;
  std::size_t shown = 0;
  for (; shown < std::min(kShown, order.size()); ++shown) {
    if (!order[shown].works && order[0].works) break;
    const std::string next = order[shown].count > 1
                                 ? fmt::format("{} ×{}", order[shown].name, order[shown].count)
                                 : order[shown].name;
    if (shown > 0 && text.size() + next.size() > kWidth) break;
    text += (shown > 0 ? ", " : "") + next;
  }
  const bool more = order.size() > shown && (order[shown].works || !order[0].works);
  return more ? text + ", …" : text;
}

}  // namespace ridge::analysis
