#include "workbench/advice_price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
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
                                      const runtime::RuntimeInfo& info,
                                      const bricks::Network& model) {
  AdvicePrice out;
  if (path.empty()) return out;
  const store::Store store = TRY(store::Store::open(path, store::Access::kRead));
  const std::vector<profile::SuiteProcess> processes = TRY(store.suites(point.key(info)));
  if (processes.empty()) return out;
  out.suites_ =
      std::make_shared<const bricks::SuiteTimes>(processes, point.host, point.cache_bytes);
  out.times_ = &out.suites_->of(bricks::resident_bytes(model.resolved));
  out.model_ = bricks::estimate(model, *out.times_);
  return out;
}

Result<profile::Estimate> AdvicePrice::gain(const bricks::Network& edited) const {
  if (times_ == nullptr)
    return input_error("RIDGE-WB-0093", "no bricks were measured here that would predict the gain");
  const ModelEstimate after = bricks::estimate(edited, *times_);
  if (model_.missing + after.missing > 0)
    return input_error("RIDGE-WB-0093",
                       fmt::format("{} of the model and {} of the edited copy are not in the store",
                                   counted(static_cast<std::int64_t>(model_.missing), "brick"),
                                   counted(static_cast<std::int64_t>(after.missing), "brick")));
  std::map<const bricks::BrickTime*, double> counts;
  std::vector<bricks::Term> terms;
  for (const auto& [estimate, count] : {std::pair(&model_, 1.0), std::pair(&after, -1.0)}) {
    for (const bricks::EstimatedLayer& layer : estimate->layers)
      if (const bricks::BrickTime* time = times_->find(layer.brick)) counts[time] += count;
    // A model that is one brick (whole.h) has no time outside kernels besides.
    if (estimate->outside.median > 0) terms.push_back({&times_->outside(), count});
  }
  for (const auto& [time, count] : counts)
    if (count != 0) terms.push_back(time->term(count));
  const profile::Estimate sum = bricks::sum_of(terms);
  return bricks::with_cuts(sum, terms);
}

advice::Achievable AdvicePrice::achievable(const profile::Profile& run) const {
  advice::Achievable out{
      .sequential_ns = run.latency.ns.median, .scheduled_ns = {}, .coverage = {}, .layers = {}};
  if (times_ == nullptr) return out;
  cover(model_, out);
  const double bricks_ns = model_.total.median;  // NaN if any is missing
  if (bricks_ns < out.sequential_ns) out.sequential_ns = bricks_ns;
  return out;
}

}  // namespace ridge::workbench
