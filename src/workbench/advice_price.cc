#include "workbench/advice_price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "advice/changed_pieces.h"
#include "attribution/boundary.h"
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

/// Nodes of a layer. For kernels of the runtime's own, whose names and order change from load to
/// load: the operator and what it reads and writes.
using LayerIdentity =
    std::tuple<std::vector<graph::NodeId>, std::string_view, profile::Count, profile::Count>;

LayerIdentity identity(const auto& layer, const profile::Count& bytes,
                       const profile::Count& written) {
  std::vector<graph::NodeId> nodes;
  for (const profile::Member& m : layer.members) nodes.push_back(m.node);
  if (nodes.empty()) return {{}, layer.type, bytes, written};
  return {std::move(nodes), "", std::nullopt, std::nullopt};
}

/// Time of a layer in the run; the mean of those with the same identity.
std::map<LayerIdentity, double> layer_times(const profile::Profile& run) {
  std::map<LayerIdentity, std::vector<double>> all;
  for (const profile::Layer& layer : run.layers)
    all[identity(layer, layer.bytes, layer.output_bytes)].push_back(mean_of(layer));
  std::map<LayerIdentity, double> out;
  for (const auto& [layer, ns] : all)
    out[layer] = std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size());
  return out;
}

/// Times of the pieces of a model in its run; those of its bricks where the run lacks a layer.
std::vector<double> times_in_run(const ModelEstimate& model, const bricks::Network& network,
                                 const profile::Profile& run) {
  if (model.layers.size() == 1) return {run.latency.ns.median};
  const std::map<LayerIdentity, double> times = layer_times(run);
  const std::vector<attribution::LayerTraffic> traffic =
      attribution::boundary_traffic(network.resolved, network.optimized, network.attribution);
  std::unordered_map<graph::NodeId, std::size_t> piece_of;
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    for (const graph::NodeId n : model.layers[i].nodes) piece_of.emplace(n, i);
  std::vector<double> out(model.layers.size(), 0);
  std::vector<bool> known(model.layers.size(), true), added(network.attribution.layers.size());
  for (const bricks::FusedLayer& fused : network.layers) {
    const auto piece = fused.nodes.empty() ? piece_of.end() : piece_of.find(fused.nodes[0]);
    if (piece == piece_of.end()) continue;
    for (const graph::NodeId kernel : fused.kernels) {
      const std::uint32_t l = network.attribution.layer_of[kernel];
      if (l == graph::kNone || added[l]) continue;
      added[l] = true;
      const auto time = times.find(
          identity(network.attribution.layers[l], traffic[l].bytes(), traffic[l].written));
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
  out.compare_with_run();
  return out;
}

/// Sets what follows from the times in the run.
void AdvicePrice::compare_with_run() {
  std::unordered_map<std::string, double> count;
  double bricks_ns = 0, run_ns = 0;
  for (std::size_t i = 0; i < in_run_ns_.size(); ++i) {
    const bricks::EstimatedLayer& layer = model_.layers[i];
    brick_in_run_ns_[layer.brick] += in_run_ns_[i];
    count[layer.brick] += 1;
    if (layer.source == bricks::Source::kMissing) continue;
    bricks_ns += layer.time.median;
    run_ns += in_run_ns_[i];
  }
  for (auto& [key, ns] : brick_in_run_ns_) ns /= count[key];
  if (bricks_ns > 0) disagreement_ = std::abs(run_ns / bricks_ns - 1);
}

/// Mean time in the run of a brick that the model has; null for another.
const double* AdvicePrice::in_run_ns(const std::string& brick) const {
  const auto known = brick_in_run_ns_.find(brick);
  return known == brick_in_run_ns_.end() ? nullptr : &known->second;
}

/// The pieces of the copy that the model lacks: their time and its interval.
profile::Estimate AdvicePrice::made_ns(const ModelEstimate& after) const {
  struct Made {
    double count = 0;
    profile::Estimate time;  // of one
  };
  std::map<std::string, Made> made;
  for (const bricks::EstimatedLayer& layer : after.layers)
    if (in_run_ns(layer.brick) == nullptr) {
      made[layer.brick].count += 1;
      made[layer.brick].time = layer.time;
    }
  std::vector<bricks::Term> terms;
  std::vector<bricks::PredictedTerm> predicted;  // of bricks that were planned and not measured
  for (const auto& [key, m] : made) {
    if (const bricks::BrickTime* measured = times_->find(key))
      terms.push_back(measured->term(m.count));
    else
      predicted.push_back({m.count * m.time.median, m.count * (m.time.high - m.time.low) / 2});
  }
  // Only a model that is one brick (whole.h) has the time outside kernels in it.
  if (model_.outside.median <= 0 && after.outside.median > 0)
    terms.push_back({&times_->outside(), 1});
  return bricks::with_cuts(bricks::sum_of(terms, predicted), terms);
}

std::vector<advice::ChangedPiece> AdvicePrice::changed(const ModelEstimate& after,
                                                       const rewrite::Origins& origins) const {
  std::vector<advice::TimedPiece> of_model, of_copy;
  for (std::size_t i = 0; i < model_.layers.size(); ++i)
    of_model.push_back({model_.layers[i].nodes, in_run_ns_[i], model_.layers[i].brick});
  for (const bricks::EstimatedLayer& layer : after.layers) {
    std::set<graph::NodeId> nodes;
    for (const graph::NodeId n : layer.nodes)
      nodes.insert(origins.at(n).begin(), origins.at(n).end());
    const double* in_run = in_run_ns(layer.brick);
    of_copy.push_back({{nodes.begin(), nodes.end()},
                       in_run != nullptr ? *in_run : layer.time.median,
                       layer.brick});
  }
  return advice::changed_pieces(of_model, of_copy);
}

Result<PricedEdit> AdvicePrice::of(const bricks::Network& edited,
                                   const rewrite::Origins& origins) const {
  if (times_ == nullptr)
    return input_error("RIDGE-WB-0093", "no bricks were measured here that would predict the gain");
  const ModelEstimate after = bricks::estimate(edited, *times_);
  if (model_.missing + after.missing > 0)
    return input_error("RIDGE-WB-0093",
                       fmt::format("{} of the model and {} of the edited copy are not in the store",
                                   counted(static_cast<std::int64_t>(model_.missing), "brick"),
                                   counted(static_cast<std::int64_t>(after.missing), "brick")));
  if (after.predicted_share > kMostPredicted)
    return input_error(
        "RIDGE-WB-0093",
        fmt::format("{:.0f} % of the time of the edited copy is of bricks without a measured time",
                    100 * after.predicted_share));
  double lost_ns = std::accumulate(in_run_ns_.begin(), in_run_ns_.end(), 0.0);
  for (const bricks::EstimatedLayer& layer : after.layers)
    if (const double* in_run = in_run_ns(layer.brick)) lost_ns -= *in_run;
  const profile::Estimate made = made_ns(after);
  const double share = latency_ns_.median > 0 ? lost_ns / latency_ns_.median : 0;
  const double run = share * (latency_ns_.high - latency_ns_.low) / 2;
  const double bricks = std::hypot((made.high - made.low) / 2, made.median * disagreement_);
  const double half = std::hypot(run, bricks, kSeriesApart * latency_ns_.median);
  const double gain = lost_ns - made.median;
  PricedEdit out{.gain_ns = {gain, gain - half, gain + half}, .changed = {}};
  if (!origins.empty()) out.changed = changed(after, origins);
  return out;
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
