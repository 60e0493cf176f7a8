#include "workbench/advice_price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "bricks/estimate.h"
#include "store/store.h"

namespace ridge::workbench {
namespace {

using bricks::ModelEstimate;

/// Share of the layers' nodes that measured bricks stand for, and those that they do not.
void cover(const ModelEstimate& e, advice::Achievable& out) {
  std::set<graph::NodeId> unknown;
  std::size_t known = 0;
  for (const bricks::EstimatedLayer& layer : e.layers) {
    if (layer.source == bricks::Source::kMeasured) {
      known += layer.nodes.size();
      out.layers.push_back({layer.nodes, layer.time.median, "brick " + layer.brick});
    } else {
      unknown.insert(layer.nodes.begin(), layer.nodes.end());
    }
  }
  const std::size_t all = known + unknown.size();
  out.coverage.nodes = all > 0 ? static_cast<double>(known) / static_cast<double>(all) : 0;
  out.coverage.time = e.measured_share;
  out.coverage.unknown = {unknown.begin(), unknown.end()};
}

}  // namespace

Result<AdvicePrice> AdvicePrice::open(const std::string& path, const BricksPoint& point,
                                      const runtime::RuntimeInfo& info) {
  AdvicePrice out;
  if (path.empty()) return out;
  const store::Store store = TRY(store::Store::open(path, store::Access::kRead));
  const std::vector<profile::SuiteProcess> processes = TRY(store.suites(point.key(info)));
  out.any_ = !processes.empty();
  if (out.any_) out.times_ = bricks::SuiteTimes(processes, point.host, point.cache_bytes);
  return out;
}

const bricks::BrickTimes& AdvicePrice::times(const bricks::Network& network) const {
  return times_.of(bricks::resident_bytes(network.resolved));
}

Result<profile::Estimate> AdvicePrice::gain(const bricks::Network& before,
                                            const bricks::Network& after) const {
  if (!any_)
    return input_error("RIDGE-WB-0093", "no bricks were measured here that would predict the gain");
  const bricks::BrickTimes &of_before = times(before), &of_after = times(after);
  const ModelEstimate a = bricks::estimate(before, of_before);
  const ModelEstimate b = bricks::estimate(after, of_after);
  if (a.missing + b.missing > 0)
    return input_error("RIDGE-WB-0093",
                       fmt::format("{} of the model and {} of the edited copy are not in the store",
                                   counted(static_cast<std::int64_t>(a.missing), "brick"),
                                   counted(static_cast<std::int64_t>(b.missing), "brick")));
  std::map<const bricks::BrickTime*, double> counts;
  for (const bricks::EstimatedLayer& layer : a.layers)
    if (const bricks::BrickTime* time = of_before.find(layer.brick)) counts[time] += 1;
  for (const bricks::EstimatedLayer& layer : b.layers)
    if (const bricks::BrickTime* time = of_after.find(layer.brick)) counts[time] -= 1;
  std::vector<bricks::Term> terms;
  for (const auto& [time, count] : counts)
    if (count != 0) terms.push_back(time->term(count));
  // A model that is one brick (whole.h) has no time outside kernels besides.
  const auto outside = [](const ModelEstimate& e) { return e.outside.median > 0 ? 1.0 : 0.0; };
  if (outside(a) > 0) terms.push_back({&of_before.outside(), 1});
  if (outside(b) > 0) terms.push_back({&of_after.outside(), -1});
  const profile::Estimate sum = bricks::sum_of(terms);
  return bricks::with_cuts(sum, terms);
}

advice::Achievable AdvicePrice::achievable(const bricks::Network& network,
                                           const profile::Profile& run,
                                           const advice::LayerGraph& graph,
                                           std::uint32_t processors) const {
  advice::Achievable out{
      .sequential_ns = run.latency.ns.median, .scheduled_ns = {}, .coverage = {}, .layers = {}};
  if (run.subject.threads == 1) {
    std::vector<double> layer_ns;
    for (const profile::Layer& layer : run.layers) layer_ns.push_back(layer.corrected_ns);
    const double outside = std::max(0.0, out.sequential_ns - run.profiling.corrected_sum_ns);
    out.scheduled_ns = std::min(out.sequential_ns, graph.scheduled(layer_ns, processors) + outside);
  }
  if (!any_) return out;
  const ModelEstimate e = bricks::estimate(network, times(network));
  cover(e, out);
  if (e.total.median < out.sequential_ns) out.sequential_ns = e.total.median;  // false for NaN
  if (out.scheduled_ns) out.scheduled_ns = std::min(*out.scheduled_ns, out.sequential_ns);
  return out;
}

}  // namespace ridge::workbench
