#include "cli/accel_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "accelerator/energy_table_file.h"
#include "accelerator/padding.h"
#include "accelerator/scalesim_files.h"
#include "cli/accel_machines.h"
#include "cli/accel_network.h"

namespace ridge::cli {
namespace {

using accelerator::Convention;
using accelerator::EnergyTable;
using accelerator::Gemm;
using accelerator::Layer;
using accelerator::Machine;
using accelerator::PadRule;
using accelerator::Question;
using exports::AcceleratorPoint;

constexpr std::size_t kMostPoints = 4096;
/// More points than these have no sensitivities unless asked: each costs as many estimates as a
/// machine has parts.
constexpr std::size_t kFewPoints = 4;

accelerator::Objective objective_of(const std::string& text) {
  if (text == "energy") return accelerator::Objective::kEnergy;
  return text == "edp" ? accelerator::Objective::kEdp : accelerator::Objective::kLatency;
}

Result<Question> question_of(const AccelOptions& options) {
  Question q;
  q.convention = accel_convention(options);
  q.objective = objective_of(options.objective);
  q.any_dataflow = options.dataflow == "best";
  const bool searches =
      q.any_dataflow || !options.tile.empty() || options.pareto || options.objective != "latency";
  if (searches && q.convention == Convention::kScalesim)
    return usage_error("RIDGE-CLI-0145",
                       "the scalesim convention has one mapping: there is nothing to search")
        .hint("--tile, --objective, --pareto and --dataflow best need --convention overlapped");
  if (options.tile.empty()) return q;
  const auto tile = accelerator::parse_gemm(options.tile);
  if (!tile.ok() || tile->count != 1)
    return usage_error("RIDGE-CLI-0146", fmt::format("--tile '{}' is no tile", options.tile))
        .hint("write --tile Tm,Tn,Tk: three whole numbers from 1");
  q.tile = accelerator::Tile{tile->m, tile->n, tile->k};
  return q;
}

Result<std::vector<PadRule>> pads_of(const AccelOptions& options) {
  std::vector<PadRule> out;
  for (const std::string& text : options.pads)
    for (const PadRule& rule : TRY(accelerator::parse_pads(text))) out.push_back(rule);
  if (out.empty()) out.emplace_back();
  return out;
}

Result<std::vector<Layer>> padded_layers(const std::vector<Layer>& layers, const PadRule& rule) {
  std::vector<Layer> out = layers;
  if (rule == PadRule{}) return out;
  for (Layer& layer : out)
    for (Gemm& g : layer.gemms) g = TRY(accelerator::padded(g, rule));
  return out;
}

/// Elements of all filters and of all results.
struct Matrices {
  double filters = 0, results = 0;
};
Matrices matrices_of(const Layer& layer) {
  Matrices sum;
  for (const Gemm& g : layer.gemms) {
    sum.filters += static_cast<double>(g.n) * static_cast<double>(g.k);
    sum.results +=
        static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.count);
  }
  return sum;
}

std::int64_t scaled(std::int64_t bytes, double to, double from) {
  return from > 0 ? std::llround(static_cast<double>(bytes) * (to / from)) : bytes;
}

/// Weights of several axes grow as the filters do, results as the ofmaps; a bias is not padded.
std::optional<exports::PaddedBytes> padded_bytes(const accelerator::LayerProfile* memory,
                                                 const Layer& before, const Layer& after) {
  if (memory == nullptr || !memory->reason.empty()) return std::nullopt;
  const Matrices from = matrices_of(before), to = matrices_of(after);
  exports::PaddedBytes out{0, scaled(memory->allocated_bytes, to.results, from.results)};
  for (const accelerator::BufferProfile& b : memory->buffers)
    if (b.role == accelerator::BufferProfile::Role::kParameter)
      out.parameters += b.shape.size() > 1 ? scaled(b.bytes, to.filters, from.filters) : b.bytes;
  return out;
}

/// Everything but the points themselves.
struct Asked {
  Question question;
  bool pareto = false;
  std::vector<EnergyTable> tables;  ///< that totals are told by
};

/// The products that take longest, on their own: a layer's front is that of its longest.
std::vector<std::vector<accelerator::Found>> fronts_of(const std::vector<Layer>& layers,
                                                       const Machine& machine,
                                                       const accelerator::EnergyRates& rates,
                                                       const Question& q) {
  std::map<Gemm, std::vector<accelerator::Found>> known;  // many layers are the same product
  std::vector<std::vector<accelerator::Found>> out;
  for (const Layer& layer : layers) {
    const auto most =
        std::max_element(layer.gemms.begin(), layer.gemms.end(),
                         [](const Gemm& a, const Gemm& b) { return a.macs() < b.macs(); });
    if (most == layer.gemms.end()) {
      out.emplace_back();
      continue;
    }
    const auto [found, added] = known.try_emplace(*most);
    if (added) found->second = pareto_front(*most, machine, rates, search_of(q));
    out.push_back(found->second);
  }
  return out;
}

Result<void> estimate_described(const Asked& asked, const std::vector<Layer>& layers,
                                AcceleratorPoint& point) {
  const Machine& machine = *point.described();
  accelerator::EnergyRates rates;
  if (point.energy != nullptr) rates = TRY(accelerator::energy_rates(machine, *point.energy));
  point.mac_row = rates.mac_row;
  point.vector_row = rates.vector_row;
  if (point.energy != nullptr) point.leaves_out = accelerator::lacks(machine, *point.energy);
  point.estimate = TRY(accelerator::estimate(layers, machine, rates, asked.question));
  if (asked.pareto) point.fronts = fronts_of(layers, machine, rates, asked.question);
  if (point.energy != nullptr && point.estimate.totals.energy)
    point.band = accelerator::energy_band(machine, point.estimate.totals, asked.tables);
  return {};
}

Result<AcceleratorPoint> point_of(const Asked& asked, const MachineSet& set,
                                  const SharedNetwork& network, const PadRule& pad) {
  AcceleratorPoint out;
  out.network = network;
  out.machine = set.machine;
  out.set = set.set;
  out.energy = set.energy;
  out.pad = accelerator::name(pad);
  const std::vector<Layer>& before = network->lowered.layers;
  const std::vector<Layer> layers = TRY(padded_layers(before, pad));
  if (out.described() != nullptr)
    TRY(estimate_described(asked, layers, out));
  else
    out.estimate =
        accelerator::estimate(layers, std::get<accelerator::ScalesimMachine>(out.machine));
  for (std::size_t i = 0; i < layers.size(); ++i)
    out.padded.push_back(padded_bytes(
        layers[i].node == graph::kNone ? nullptr : network->memory.find(layers[i].node), before[i],
        layers[i]));
  return out;
}

/// Marks the points that no other beats; where energy is not told, the fastest.
void mark_best(std::vector<AcceleratorPoint>& points) {
  struct Figures {
    double latency, energy;
  };
  std::vector<Figures> figures;
  for (const AcceleratorPoint& p : points) {
    const accelerator::LayerCost& t = p.estimate.totals;
    figures.push_back({t.latency_ns.value_or(static_cast<double>(t.total_cycles())),
                       p.energy != nullptr && t.energy ? t.energy->total() : 0});
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].best = std::none_of(figures.begin(), figures.end(), [&](const Figures& other) {
      const Figures& own = figures[i];
      return other.latency <= own.latency && other.energy <= own.energy &&
             (other.latency < own.latency || other.energy < own.energy);
    });
}

/// A machine without a vector unit is asked for products alone, and so is the scalesim convention,
/// which knows none.
accelerator::Layers layers_of(Convention convention, const std::vector<MachineSet>& machines) {
  if (convention == Convention::kScalesim) return accelerator::Layers::kProducts;
  const bool vectors = std::any_of(machines.begin(), machines.end(), [](const MachineSet& set) {
    const auto* machine = std::get_if<Machine>(&set.machine);
    return machine != nullptr && machine->vector.lanes > 0;
  });
  return vectors ? accelerator::Layers::kAll : accelerator::Layers::kProducts;
}

}  // namespace

Result<exports::AcceleratorView> accel_points(const AccelOptions& options, Console& console) {
  Asked asked{TRY(question_of(options)), options.pareto, {}};
  const std::vector<PadRule> pads = TRY(pads_of(options));
  const std::vector<MachineSet> machines = TRY(accel_machines(options));
  const std::vector<SharedNetwork> networks =
      TRY(accel_networks(options, layers_of(asked.question.convention, machines), console));
  const std::size_t count = machines.size() * networks.size() * pads.size();
  if (count > kMostPoints)
    return usage_error("RIDGE-CLI-0147", fmt::format("{} machines x {} sizes x {} pads are {} "
                                                     "points, and {} are the most",
                                                     machines.size(), networks.size(), pads.size(),
                                                     count, kMostPoints))
        .hint("give fewer values to --set, --bind or --pad");
  asked.question.sensitivity =
      options.sensitivity == "on" || (options.sensitivity == "auto" && count <= kFewPoints);
  if (options.described()) asked.tables = accelerator::shipped_energy_tables();
  exports::AcceleratorView view{
      accel_subject(options), asked.question.convention, asked.question.objective, {}};
  for (const MachineSet& machine : machines)
    for (const SharedNetwork& network : networks)
      for (const PadRule& pad : pads)
        view.points.push_back(TRY(point_of(asked, machine, network, pad)));
  mark_best(view.points);
  return view;
}

}  // namespace ridge::cli
