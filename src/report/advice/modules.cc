// SPDX-License-Identifier: Apache-2.0
#include "report/advice/modules.h"

#include <algorithm>
#include <map>

#include "report/advice/view.h"

namespace ridge::report {
namespace {

void add(ModuleTime& sum, const profile::Layer& layer) {
  ++sum.layers;
  sum.time_ns += layer.corrected_ns;
  sum.above_ns += above_bound_ns(layer);
  if (layer.inserted) return;
  if (layer.bound.time_ns)
    sum.bound_ns += *layer.bound.time_ns;
  else
    sum.unbounded_ns += layer.corrected_ns;
}

/// More time above the bound; without bounds, more time.
bool further(const ModuleTime& a, const ModuleTime& b) {
  return a.above_ns != b.above_ns ? a.above_ns > b.above_ns : a.time_ns > b.time_ns;
}

/// Order of the rows: with the sums of all modules around the two that differ first.
class TreeOrder {
 public:
  explicit TreeOrder(const std::map<std::string, ModuleTime>& sums) : sums_(sums) {}

  bool operator()(const ModuleTime* a, const ModuleTime* b) const {
    for (std::uint32_t depth = 0;; ++depth) {
      if (depth > a->depth || depth > b->depth) return a->depth < b->depth;
      const ModuleTime &x = around(*a, depth), &y = around(*b, depth);
      if (x.path == y.path) continue;
      return further(x, y) || (!further(y, x) && x.path < y.path);
    }
  }

 private:
  const ModuleTime& around(const ModuleTime& m, std::uint32_t depth) const {
    std::size_t end = m.path.find('/', 1);
    for (std::uint32_t d = 0; d < depth && end != std::string::npos; ++d)
      end = m.path.find('/', end + 1);
    return sums_.at(m.path.substr(0, end));
  }

  const std::map<std::string, ModuleTime>& sums_;
};

}  // namespace

ModuleTimes module_times(const profile::Profile& run, std::size_t most) {
  std::map<std::string, ModuleTime> sums;
  ModuleTimes out;
  for (const profile::Layer& layer : run.layers) {
    add(out.all, layer);
    std::uint32_t depth = 0;
    for (std::size_t end = 0; end != std::string::npos && depth < kDeepestModule; ++depth) {
      end = layer.module.find('/', end + 1);
      const std::string path = layer.module.substr(0, end);
      ModuleTime& sum =
          sums.try_emplace(path, ModuleTime{.path = path, .depth = depth}).first->second;
      add(sum, layer);
    }
  }
  std::vector<const ModuleTime*> order;
  for (const auto& [path, sum] : sums) order.push_back(&sum);
  // A module is never further above its bound than those around it, so they are kept, too.
  std::ranges::sort(order, {}, &ModuleTime::depth);
  std::ranges::stable_sort(order, [](const auto* a, const auto* b) { return further(*a, *b); });
  out.left_out = order.size() - std::min(order.size(), most);
  order.resize(order.size() - out.left_out);
  std::ranges::sort(order, TreeOrder(sums));
  for (const ModuleTime* m : order) out.rows.push_back(*m);
  return out;
}

}  // namespace ridge::report
