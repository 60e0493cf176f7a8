// SPDX-License-Identifier: Apache-2.0
#include "advice/run/price.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "advice/changed_pieces.h"
#include "advice/run_times.h"
#include "attribution/boundary.h"
#include "base/text.h"
#include "store/store.h"

namespace ridge::advice {
namespace {

using bricks::ModelEstimate;
using bricks::PieceTime;

/// Half of the 95 % interval of a difference of times outside layers, as a share of it.
constexpr double kOutsideUnsure = 0.5;

/// Share of the layers' nodes that measured bricks stand for, and those that they do not.
void cover(const ModelEstimate& e, Achievable& out) {
  std::set<graph::NodeId> unknown;
  std::size_t known = 0;
  for (const bricks::EstimatedLayer& layer : e.layers) {
    if (layer.source == bricks::Source::kMeasured) {
      known += layer.nodes.size();
      out.layers.push_back({layer.nodes, layer.time.value, "brick " + layer.brick});
    } else {
      unknown.insert(layer.nodes.begin(), layer.nodes.end());
    }
  }
  const std::size_t all = known + unknown.size();
  out.coverage.nodes = all > 0 ? static_cast<double>(known) / static_cast<double>(all) : 0;
  out.coverage.time = e.measured_share;
  out.coverage.unknown = {unknown.begin(), unknown.end()};
}

/// Nodes of a layer. For kernels of the runtime's own, whose names and order change from load to
/// load: the operator and what it reads and writes.
using LayerIdentity =
    std::tuple<std::vector<graph::NodeId>, std::string_view, profile::Count, profile::Count>;

LayerIdentity point_identity(const auto& layer, const profile::Count& bytes,
                             const profile::Count& written) {
  std::vector<graph::NodeId> nodes;
  for (const profile::Member& m : layer.members) nodes.push_back(m.node);
  if (nodes.empty()) return {{}, layer.type, bytes, written};
  return {std::move(nodes), "", std::nullopt, std::nullopt};
}

/// Time of a layer in the run; the mean of those with the same identity.
std::map<LayerIdentity, double> layer_times(const profile::Profile& run, const RunTimes& ran) {
  std::map<LayerIdentity, std::vector<double>> all;
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const profile::Layer& layer = run.layers[i];
    all[point_identity(layer, layer.bytes, layer.output_bytes)].push_back(ran.layers_ns[i]);
  }
  std::map<LayerIdentity, double> out;
  for (const auto& [layer, ns] : all)
    out[layer] = std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size());
  return out;
}

/// Times of the pieces of a model in its run; the times of its bricks where the run lacks a layer.
std::vector<double> times_in_run(const ModelEstimate& model, const bricks::Network& network,
                                 const profile::Profile& run, const RunTimes& ran) {
  if (model.layers.size() == 1) return {ran.latency_ns};
  const std::map<LayerIdentity, double> times = layer_times(run, ran);
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
          point_identity(network.attribution.layers[l], traffic[l].bytes(), traffic[l].written));
      if (time == times.end())
        known[piece->second] = false;
      else
        out[piece->second] += time->second;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!known[i]) out[i] = model.layers[i].time.value;
  return out;
}

}  // namespace

Result<AdvicePrice> AdvicePrice::open(const std::string& path, const bricks::BricksPoint& point,
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
  out.take_run(model, run);
  return out;
}

/// Divides the pieces of the model and of a copy into those that both have and the others.
AdvicePrice::Divided AdvicePrice::divide(const ModelEstimate& after) const {
  std::map<std::string, Pieces> of_copy;
  for (const bricks::EstimatedLayer& layer : after.layers) of_copy[layer.brick].add(layer, 0);
  Divided out;
  const auto part = [&](const std::string& key, const Pieces& all, double count) -> PieceTime {
    const bricks::BrickTime* const measured = times_->find(key);
    const double share = count / all.count;
    return {.times = measured != nullptr ? &measured->times : nullptr,
            .count = count,
            .ns = share * all.brick_ns,
            .in_run_ns = share * all.in_run_ns,
            .predicted_half_ns = share * all.predicted_half_ns};
  };
  for (const auto& [key, pieces] : pieces_) {
    const auto in_copy = of_copy.find(key);
    const double copies = in_copy == of_copy.end() ? 0 : in_copy->second.count;
    const double both = std::min(pieces.count, copies);
    if (both > 0) out.pieces.shared.push_back(part(key, pieces, both));
    if (pieces.count > both) out.pieces.before.push_back(part(key, pieces, pieces.count - both));
    out.exact_ns -= (copies - both) * pieces.in_run_ns / pieces.count;
  }
  for (const auto& [key, pieces] : of_copy)
    if (pieces_of(key) == nullptr) out.pieces.after.push_back(part(key, pieces, pieces.count));
  return out;
}

/// Reduces bricks to the processes that measured all those that the edit changes, if there are two
/// of them: there they ran in turns. Shared bricks of which two processes remain follow.
void AdvicePrice::keep_common_processes(Divided& divided) {
  std::map<std::uint32_t, std::size_t> measured;  // bricks by process
  std::size_t bricks = 0;
  for (const auto* part : {&divided.pieces.before, &divided.pieces.after})
    for (const PieceTime& piece : *part) {
      if (piece.times == nullptr) continue;
      ++bricks;
      for (const bricks::ProcessTime& time : *piece.times) ++measured[time.process];
    }
  std::erase_if(measured, [&](const auto& one) { return one.second < bricks; });
  if (measured.size() < 2) return;
  for (auto* part : {&divided.pieces.before, &divided.pieces.after, &divided.pieces.shared})
    for (PieceTime& piece : *part) {
      if (piece.times == nullptr) continue;
      bricks::ProcessTimes common;
      for (const bricks::ProcessTime& time : *piece.times)
        if (measured.contains(time.process)) common.push_back(time);
      if (common.size() < 2) continue;
      piece.times = &divided.common.emplace_back(std::move(common));
      piece.ns = piece.count * bricks::mean(*piece.times);
    }
}

/// Sets what follows from the run.
void AdvicePrice::take_run(const bricks::Network& model, const profile::Profile& run) {
  const RunTimes ran = run_times(run);
  in_run_ns_ = times_in_run(model_, model, run, ran);
  outside_ns_ = ran.latency_ns;
  for (std::size_t i = 0; i < in_run_ns_.size(); ++i) {
    const bricks::EstimatedLayer& layer = model_.layers[i];
    pieces_[layer.brick].add(layer, in_run_ns_[i]);
    outside_ns_ -= in_run_ns_[i];
  }
  outside_ns_ = std::max(0.0, outside_ns_);
  kernels_ = model.attribution.kernels.size();
}

/// Adds a piece with this brick, of the model or of a copy.
void AdvicePrice::Pieces::add(const bricks::EstimatedLayer& layer, double ran_ns) {
  count += 1;
  brick_ns += layer.time.value;
  in_run_ns += ran_ns;
  if (layer.source == bricks::Source::kPredicted)
    predicted_half_ns += (layer.time.high() - layer.time.low()) / 2;
}

/// Pieces of the model with a brick; null if it has none.
const AdvicePrice::Pieces* AdvicePrice::pieces_of(const std::string& brick) const {
  const auto known = pieces_.find(brick);
  return known == pieces_.end() ? nullptr : &known->second;
}

/// Time of a run of the copy that none of its pieces has. A model that is one brick (whole.h) has
/// all of it in there.
double AdvicePrice::outside_ns(const ModelEstimate& after, const bricks::Network& edited) const {
  if (after.outside.value <= 0) return 0;
  const double call = after.outside.value;
  if (model_.outside.value <= 0) return call;
  if (outside_ns_ <= call || kernels_ == 0) return outside_ns_;
  return call + (outside_ns_ - call) * static_cast<double>(edited.attribution.kernels.size()) /
                    static_cast<double>(kernels_);
}

/// `factor`: turns times of bricks into times of a run.
std::vector<ChangedPiece> AdvicePrice::changed(const ModelEstimate& after, double factor,
                                               const rewrite::Origins& origins) const {
  std::vector<TimedPiece> of_model, of_copy;
  for (std::size_t i = 0; i < model_.layers.size(); ++i)
    of_model.push_back({model_.layers[i].nodes, in_run_ns_[i], model_.layers[i].brick});
  for (const bricks::EstimatedLayer& layer : after.layers) {
    std::set<graph::NodeId> nodes;
    for (const graph::NodeId n : layer.nodes)
      nodes.insert(origins.at(n).begin(), origins.at(n).end());
    const Pieces* in_run = pieces_of(layer.brick);
    of_copy.push_back(
        {{nodes.begin(), nodes.end()},
         in_run != nullptr ? in_run->in_run_ns / in_run->count : factor * layer.time.value,
         layer.brick});
  }
  return changed_pieces(of_model, of_copy);
}

Result<PricedEdit> AdvicePrice::of(const bricks::Network& edited,
                                   const rewrite::Origins& origins) const {
  if (times_ == nullptr)
    return input_error("RIDGE-WB-0093", "no bricks were measured here that would predict the gain");
  const ModelEstimate after = bricks::estimate(edited, *times_);
  if (model_.missing + after.missing > 0)
    return input_error(
        "RIDGE-WB-0093",
        fmt::format("{} of the model and {} of the edited copy have no measured time, and too few "
                    "bricks like them do to predict one",
                    counted(static_cast<std::int64_t>(model_.missing), "brick"),
                    counted(static_cast<std::int64_t>(after.missing), "brick")));
  if (after.predicted_share > kMaxPredicted)
    return input_error(
        "RIDGE-WB-0093",
        fmt::format("{:.0f} % of the time of the edited copy is of bricks without a measured time",
                    100 * after.predicted_share));
  Divided divided = divide(after);
  keep_common_processes(divided);
  const double latency = latency_ns_.value;
  if (latency > 0)
    divided.pieces.run_half_share = (latency_ns_.high() - latency_ns_.low()) / 2 / latency;
  const bricks::PairedGain gain = bricks::paired_gain(divided.pieces);
  const double outside = outside_ns_ - outside_ns(after, edited);
  const double half = std::hypot(gain.half_ns, kOutsideUnsure * outside);
  if (std::isnan(half))
    return input_error(
        "RIDGE-WB-0093",
        "cannot be predicted in this budget: bricks ran in fewer than two processes");
  const double ns = gain.ns + divided.exact_ns + outside;
  PricedEdit out{.gain_ns = {ns, stats::finite_interval(ns - half, ns + half)}, .changed = {}};
  if (!origins.empty()) out.changed = changed(after, gain.after_factor, origins);
  return out;
}

Achievable AdvicePrice::achievable() const {
  Achievable out{
      .sequential_ns = latency_ns_.value, .scheduled_ns = {}, .coverage = {}, .layers = {}};
  if (times_ == nullptr) return out;
  cover(model_, out);
  const double bricks_ns = model_.total.value;  // NaN if any is missing
  if (bricks_ns < out.sequential_ns) out.sequential_ns = bricks_ns;
  return out;
}

}  // namespace ridge::advice
