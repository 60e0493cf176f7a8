// SPDX-License-Identifier: Apache-2.0
#include "accelerator/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "accelerator/energy_table_file.h"
#include "accelerator/padded_memory.h"
#include "accelerator/padding.h"
#include "accelerator/study/machines.h"
#include "accelerator/study/networks.h"
#include "accelerator/width_groups.h"
#include "base/progress.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

constexpr std::size_t kMaxPoints = 4096;
/// Maximum number of points for which sensitivities are estimated by default: each takes one
/// estimate per part of the machine.
constexpr std::size_t kFewPoints = 64;

Result<EstimateOptions> estimate_options(const StudySpec& spec) {
  const bool searches = spec.any_dataflow || spec.tile || spec.pareto || spec.objective;
  if (searches && spec.convention_used() == Convention::kScalesim)
    return usage_error("RIDGE-WB-0145",
                       "the scalesim convention has one mapping: there is nothing to search")
        .hint("--tile, --objective, --pareto and --dataflow best require --convention overlapped");
  EstimateOptions out;
  out.convention = spec.convention_used();
  out.objective = spec.objective.value_or(out.objective);
  out.any_dataflow = spec.any_dataflow;
  out.tile = spec.tile;
  return out;
}

Result<std::vector<Layer>> padded_layers(const std::vector<Layer>& layers, const PadRule& rule) {
  std::vector<Layer> out = layers;
  if (rule == PadRule{}) return out;
  for (Layer& layer : out)
    for (Gemm& g : layer.gemms) g = TRY(padded(g, rule));
  return out;
}

/// Error if a layer has N:M sparsity that the machine's convention does not model.
Result<void> check_sparsity(const std::vector<Layer>& layers, const StudyPoint& point) {
  const auto* config = std::get_if<ScalesimMachine>(&point.machine);
  const bool padded = point.pad != name(PadRule{});
  if (config != nullptr && !padded) return {};
  for (const Layer& layer : layers)
    for (const Gemm& g : layer.gemms)
      if (!g.sparsity.dense())
        return input_error("RIDGE-ACC-0162",
                           fmt::format("layer '{}' has {}:{} sparsity, which {} not modeled",
                                       layer.name, g.sparsity.kept, g.sparsity.of,
                                       padded ? "with padding is" : "on a described machine is"))
            .hint("use --config with SparsitySupport: true and without --pad, or write 1:1");
  return {};
}

/// Note on sparsity that a configuration leaves out of the estimate.
void tell_unused_sparsity(const Study& study, const session::Environment& environment) {
  const StudyPoint& point = study.points.front();
  const auto* config = std::get_if<ScalesimMachine>(&point.machine);
  const std::vector<Layer>& layers = point.network->lowered.layers;
  const bool any = std::ranges::any_of(layers, [](const Layer& layer) {
    return std::ranges::any_of(layer.gemms, [](const Gemm& g) { return !g.sparsity.dense(); });
  });
  if (config != nullptr && !config->sparse && any)
    environment.notices.status(
        "note: the sparsity of the topology is not used, as in SCALE-Sim without SparsitySupport: "
        "true");
}

/// Limit on multiply-accumulates plus vector operations, and on cycles. Below it, all figures
/// derived from them (bytes, cycles, partial sums) fit into 64 bits.
constexpr double kMaxWork = 0x1p57;

/// Input error (RIDGE-ACC-0161) if a sum over the layers could exceed 2^63. `filled` estimates the
/// cycles with every dimension extended by one side of the array, as if all folds were full.
Result<void> check_work(const std::vector<Layer>& layers, std::int64_t rows, std::int64_t columns) {
  // Example: a product of 1 x 1 x 1 on an array of 16 x 16 has 1 MAC, but 17^3 / 256 = 19 cycles:
  // for small products cycles are the tighter limit.
  const auto side = static_cast<double>(std::max(rows, columns));
  const double units = static_cast<double>(rows) * static_cast<double>(columns);
  double work = 0, filled = 0;
  for (const Layer& layer : layers) {
    for (const Gemm& g : layer.gemms) {
      const auto m = static_cast<double>(g.m), n = static_cast<double>(g.n),
                 k = static_cast<double>(g.k), count = static_cast<double>(g.count);
      work += count * m * n * k;
      filled += count * (m + side) * (n + side) * (k + side) / units;
    }
    if (!layer.vector) continue;
    for (const std::int64_t part :
         {layer.vector->read, layer.vector->written, layer.vector->operations})
      work += static_cast<double>(part);
  }
  if (work <= kMaxWork && filled <= kMaxWork) return {};
  return input_error(
             "RIDGE-ACC-0161",
             fmt::format("{} multiply-accumulates and operations in {} cycles exceed the limit",
                         si(work), si(filled)))
      .hint(fmt::format("the limit is {} of each: estimate a part of the network", si(kMaxWork)));
}

/// Draws the progress of the points, and of the layers within a point.
class PointProgress {
 public:
  PointProgress(Progress* progress, std::size_t points) : progress_(progress), points_(points) {}
  ~PointProgress() {
    if (progress_ != nullptr) progress_->hide();
  }
  PointProgress(const PointProgress&) = delete;
  PointProgress& operator=(const PointProgress&) = delete;

  OnLayerDone of_point(std::size_t point, std::size_t layers) {
    if (progress_ == nullptr) return {};
    std::string what = points_ > 1
                           ? fmt::format("estimating point {} of {}, layers", point + 1, points_)
                           : "estimating layers";
    return [this, what = std::move(what), layers](std::size_t done) {
      progress_->show(what, static_cast<std::int64_t>(done), static_cast<std::int64_t>(layers));
    };
  }

 private:
  Progress* progress_;  ///< may be null
  std::size_t points_;
};

/// Parameters that all points share.
struct Parameters {
  EstimateOptions options;
  bool pareto = false;
  std::vector<EnergyTable> tables;  ///< for the energy band of the totals
};

/// Pareto fronts of the mappings of a layer's product with the most MACs, repetitions included.
class Fronts {
 public:
  Fronts(const WidthGroup& group, const EstimateOptions& options)
      : group_(group), options_(options) {}

  std::vector<Found> of(const Layer& layer) {
    const auto most =
        std::max_element(layer.gemms.begin(), layer.gemms.end(),
                         [](const Gemm& a, const Gemm& b) { return a.macs() < b.macs(); });
    if (most == layer.gemms.end()) return {};
    const auto [found, added] = known_.try_emplace(*most);
    if (added)
      found->second = pareto_front(*most, group_.machine, group_.rates, search_of(options_));
    return found->second;
  }

 private:
  const WidthGroup& group_;
  const EstimateOptions& options_;
  std::map<Gemm, std::vector<Found>> known_;  // many layers have the same product
};

Result<void> estimate_described(const Parameters& parameters, const std::vector<Layer>& layers,
                                StudyPoint& point) {
  const Machine& machine = *point.described();
  for (const StoredWidths& stored : point.network->stored)
    point.widths.push_back(widths_of(stored, machine.widths));
  const auto groups = TRY(width_groups(machine, layers, point.widths, point.energy.get()));
  point.mac_row = mac_rows(groups);
  point.vector_row = vector_rows(groups);
  if (point.energy != nullptr) point.leaves_out = lacks(groups, *point.energy);
  point.estimate = TRY(estimate(layers, groups, parameters.options));
  if (parameters.pareto) point.fronts.resize(layers.size());
  for (const WidthGroup& group : groups) {
    if (!parameters.pareto) break;
    Fronts fronts(group, parameters.options);
    for (const std::size_t i : group.layers) point.fronts[i] = fronts.of(layers[i]);
  }
  if (point.energy != nullptr && point.estimate.totals.energy)
    point.band = energy_band(point.estimate, groups, parameters.tables);
  return {};
}

Result<StudyPoint> study_point(const Parameters& parameters, const StudiedMachine& set,
                               const SharedNetwork& network, const PadRule& pad) {
  StudyPoint out;
  out.network = network;
  out.machine = set.machine;
  out.set = set.set;
  out.energy = set.energy;
  out.pad = name(pad);
  const std::vector<Layer>& before = network->lowered.layers;
  TRY(check_sparsity(before, out));
  const std::vector<Layer> layers = TRY(padded_layers(before, pad));
  TRY(std::visit([&](const auto& m) { return check_work(layers, m.rows, m.columns); },
                 out.machine));
  if (out.described() != nullptr)
    TRY(estimate_described(parameters, layers, out));
  else
    out.estimate =
        estimate(layers, std::get<ScalesimMachine>(out.machine), parameters.options.told);
  for (std::size_t i = 0; i < layers.size(); ++i)
    out.padded.push_back(padded_bytes(
        layers[i].node == graph::kNone ? nullptr : network->memory.find(layers[i].node), before[i],
        layers[i]));
  return out;
}

/// Marks the points that no other point of the same network dominates in latency and energy. Energy
/// that is not estimated counts as 0, so without energy the fastest points are marked.
void mark_pareto_optimal(std::vector<StudyPoint>& points) {
  struct Figures {
    double latency, energy;
  };
  std::vector<Figures> figures;
  for (const StudyPoint& p : points) {
    const LayerCost& t = p.estimate.totals;
    figures.push_back({t.latency_ns.value_or(static_cast<double>(t.total_cycles())),
                       p.energy != nullptr && t.energy ? t.energy->total() : 0});
  }
  const auto dominates = [&](std::size_t other, std::size_t own) {
    const Figures &a = figures[other], &b = figures[own];
    return points[other].network == points[own].network && a.latency <= b.latency &&
           a.energy <= b.energy && (a.latency < b.latency || a.energy < b.energy);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < points.size() && !dominated; ++j) dominated = dominates(j, i);
    points[i].best = !dominated;
  }
}

/// Only products under the scalesim convention, which has no vector unit, or if no machine has one;
/// else all layers.
Layers estimated_layers(Convention convention, const std::vector<StudiedMachine>& machines) {
  if (convention == Convention::kScalesim) return Layers::kProducts;
  const bool vectors = std::any_of(machines.begin(), machines.end(), [](const StudiedMachine& set) {
    const auto* machine = std::get_if<Machine>(&set.machine);
    return machine != nullptr && machine->vector.lanes > 0;
  });
  return vectors ? Layers::kAll : Layers::kProducts;
}

}  // namespace

Result<Study> estimate_study(const StudySpec& spec, const session::Environment& environment) {
  Parameters parameters{TRY(estimate_options(spec)), spec.pareto, {}};
  const std::vector<StudiedMachine> machines = TRY(study_machines(spec));
  const std::vector<SharedNetwork> networks = TRY(
      study_networks(spec, estimated_layers(parameters.options.convention, machines), environment));
  const std::size_t count = machines.size() * networks.size() * spec.pads.size();
  if (count > kMaxPoints)
    return usage_error(
               "RIDGE-WB-0147",
               fmt::format(
                   "{} machines x {} sizes x {} pads are {} points, more than the limit of {}",
                   machines.size(), networks.size(), spec.pads.size(), count, kMaxPoints))
        .hint("give fewer values to --set, --bind or --pad");
  parameters.options.sensitivity = spec.sensitivity == Sensitivity::kOn ||
                                   (spec.sensitivity == Sensitivity::kAuto && count <= kFewPoints);
  if (spec.described()) parameters.tables = shipped_energy_tables();
  Study study{study_subject(spec),          parameters.options.convention,
              parameters.options.objective, {},
              parameters.options.tile,      parameters.options.any_dataflow};
  PointProgress progress(environment.progress, count);
  for (const StudiedMachine& machine : machines)
    for (const SharedNetwork& network : networks)
      for (const PadRule& pad : spec.pads) {
        parameters.options.told =
            progress.of_point(study.points.size(), network->lowered.layers.size());
        study.points.push_back(TRY(study_point(parameters, machine, network, pad)));
      }
  mark_pareto_optimal(study.points);
  tell_unused_sparsity(study, environment);
  if (spec.sensitivity == Sensitivity::kAuto && count > kFewPoints)
    environment.notices.status(
        fmt::format("note: sensitivities are not estimated for more than {} points; --sensitivity "
                    "on estimates them",
                    kFewPoints));
  return study;
}

}  // namespace ridge::accelerator
