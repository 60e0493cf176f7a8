#include "workbench/advice_price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "stats/samples.h"
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

/// Mean over the runs, as bricks have it: where a kernel waits for memory its times are skewed, and
/// the sum of medians is below the median of the sum.
double mean_of(const profile::Layer& layer) {
  if (layer.runs_ns.empty()) return layer.corrected_ns;
  std::vector<double> ns(layer.runs_ns.begin(), layer.runs_ns.end());
  ns = stats::limited(ns, bricks::kFarthestRun, bricks::kLeastRunSpread);
  return std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size());
}

/// Time of each kernel in the run, by its name. A layer of several kernels is divided as the
/// profiler reports them.
std::unordered_map<std::string, double> kernel_times(const profile::Profile& run) {
  std::unordered_map<std::string, double> out;
  for (const profile::Layer& layer : run.layers) {
    double reported = 0;
    for (const profile::Kernel& k : layer.kernels) reported += k.time_ns.median;
    for (const profile::Kernel& k : layer.kernels)
      out[k.name] += mean_of(layer) * (reported > 0 ? k.time_ns.median / reported : 0);
  }
  return out;
}

/// Times of the pieces of a model in its run; those of its bricks where the run has no kernels of
/// these names.
std::vector<double> times_in_run(const ModelEstimate& model, const bricks::Network& network,
                                 const profile::Profile& run) {
  if (model.layers.size() == 1) return {run.latency.ns.median};
  std::unordered_map<graph::NodeId, std::size_t> piece_of;
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    for (const graph::NodeId n : model.layers[i].nodes) piece_of.emplace(n, i);
  const std::unordered_map<std::string, double> times = kernel_times(run);
  std::vector<double> out(model.layers.size(), 0);
  std::vector<bool> known(model.layers.size(), true);
  for (const bricks::FusedLayer& layer : network.layers) {
    const auto piece = layer.nodes.empty() ? piece_of.end() : piece_of.find(layer.nodes[0]);
    if (piece == piece_of.end()) continue;
    for (const graph::NodeId k : layer.kernels) {
      const auto time = times.find(std::string(network.optimized.kernel(k).name));
      if (time == times.end())
        known[piece->second] = false;
      else
        out[piece->second] += time->second;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!known[i]) out[i] = model.layers[i].time.median;
  return out;
}

}  // namespace

Result<AdvicePrice> AdvicePrice::open(const std::string& path, const BricksPoint& point,
                                      const runtime::RuntimeInfo& info,
                                      const bricks::Network& model, const profile::Profile& run) {
  AdvicePrice out;
  out.latency_ns_ = run.latency.ns;
  if (path.empty()) return out;
  const store::Store store = TRY(store::Store::open(path, store::Access::kRead));
  const std::vector<profile::SuiteProcess> processes = TRY(store.suites(point.key(info)));
  if (processes.empty()) return out;
  out.suites_ =
      std::make_shared<const bricks::SuiteTimes>(processes, point.host, point.cache_bytes);
  out.times_ = &out.suites_->of(bricks::resident_bytes(model.resolved));
  out.model_ = bricks::estimate(model, *out.times_);
  out.in_run_ns_ = times_in_run(out.model_, model, run);
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
  struct Use {
    double before = 0, after = 0;  // occurrences
    double in_run_ns = 0;          // sum over those before
    const bricks::EstimatedLayer* made = nullptr;
  };
  std::map<std::string, Use> uses;  // by key
  for (std::size_t i = 0; i < model_.layers.size(); ++i) {
    Use& use = uses[model_.layers[i].brick];
    use.before += 1;
    use.in_run_ns += in_run_ns_[i];
  }
  for (const bricks::EstimatedLayer& layer : after.layers) {
    uses[layer.brick].after += 1;
    uses[layer.brick].made = &layer;
  }
  double lost_ns = 0;
  std::vector<bricks::Term> terms;
  std::vector<bricks::PredictedTerm> predicted;  // of bricks that were planned and not measured
  for (const auto& [key, use] : uses) {
    const double lost = use.before - use.after;
    const bricks::BrickTime* time = times_->find(key);
    if (lost > 0)
      lost_ns += lost * use.in_run_ns / use.before;
    else if (lost < 0 && time != nullptr)
      terms.push_back(time->term(-lost));
    else if (lost < 0)
      predicted.push_back(
          {-lost * use.made->time.median, -lost * (use.made->time.high - use.made->time.low) / 2});
  }
  // Only a model that is one brick (whole.h) has the time outside kernels in it.
  if (model_.outside.median <= 0 && after.outside.median > 0)
    terms.push_back({&times_->outside(), 1});
  const profile::Estimate made = bricks::with_cuts(bricks::sum_of(terms, predicted), terms);
  const double share = latency_ns_.median > 0 ? lost_ns / latency_ns_.median : 0;
  const double half =
      std::hypot(share * (latency_ns_.high - latency_ns_.low) / 2, (made.high - made.low) / 2);
  const double gain = lost_ns - made.median;
  return profile::Estimate{gain, gain - half, gain + half};
}

advice::Achievable AdvicePrice::achievable() const {
  advice::Achievable out{
      .sequential_ns = latency_ns_.median, .scheduled_ns = {}, .coverage = {}, .layers = {}};
  if (times_ == nullptr) return out;
  cover(model_, out);
  const double bricks_ns = model_.total.median;  // NaN if any is missing
  if (bricks_ns < out.sequential_ns) out.sequential_ns = bricks_ns;
  return out;
}

}  // namespace ridge::workbench
