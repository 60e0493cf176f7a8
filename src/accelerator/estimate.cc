// SPDX-License-Identifier: Apache-2.0
#include "accelerator/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "accelerator/vector_unit.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

void add_traffic(Traffic& sum, const Traffic& part, std::int64_t count) {
  sum.ifmap += count * part.ifmap;
  sum.filter += count * part.filter;
  sum.psum_reads += count * part.psum_reads;
  sum.ofmap += count * part.ofmap;
  sum.psum_writes += count * part.psum_writes;
}

void add_traffic(Energy& sum, const Energy& part, double count) {
  sum.mac += count * part.mac;
  sum.register_file += count * part.register_file;
  sum.vector += count * part.vector;
  sum.sram += count * part.sram;
  sum.dram += count * part.dram;
  sum.leakage += count * part.leakage;
}

/// Adds `count` times `part`; a figure that is unknown in one part is unknown in the sum.
void add_traffic(LayerCost& sum, const LayerCost& part, std::int64_t count) {
  const auto times = static_cast<double>(count);
  sum.padded_macs += count * part.padded_macs;
  sum.vector_operations += count * part.vector_operations;
  sum.folds += count * part.folds;
  sum.compute_cycles += count * part.compute_cycles;
  sum.stall_cycles += count * part.stall_cycles;
  if (part.cycles_with_prefetch && sum.cycles_with_prefetch)
    *sum.cycles_with_prefetch += count * *part.cycles_with_prefetch;
  else
    sum.cycles_with_prefetch.reset();
  sum.sram_used_bytes = std::max(sum.sram_used_bytes, part.sram_used_bytes);
  add_traffic(sum.sram, part.sram, count);
  if (part.dram && sum.dram)
    add_traffic(*sum.dram, *part.dram, count);
  else
    sum.dram.reset();
  sum.dram_read_bytes += count * part.dram_read_bytes;
  sum.dram_write_bytes += count * part.dram_write_bytes;
  if (part.latency_ns && sum.latency_ns)
    *sum.latency_ns += times * *part.latency_ns;
  else
    sum.latency_ns.reset();
  if (part.energy && sum.energy)
    add_traffic(*sum.energy, *part.energy, times);
  else
    sum.energy.reset();
}

LayerCost nothing() {
  LayerCost cost;
  cost.dram.emplace();
  cost.latency_ns = 0;
  cost.energy.emplace();
  cost.cycles_with_prefetch = 0;
  return cost;
}

double utilization(const LayerCost& cost, std::int64_t units) {
  const double all = static_cast<double>(units) * static_cast<double>(cost.total_cycles());
  return all > 0 ? static_cast<double>(cost.padded_macs) / all : 0;
}

/// Work of a layer's riders that is done beside its product `i`: on its outputs if it is the last
/// one. Of a layer with several products, their operations run beside all of them (add_vector).
RiderWork riders_of(const Layer& layer, std::size_t i, const Machine& machine) {
  if (machine.vector.lanes < 1 || !layer.vector || i + 1 != layer.gemms.size()) return {};
  return {layer.vector->read, layer.gemms.size() == 1 ? layer.vector->operations : 0};
}

/// Copies the mapping of a product to its layer, which reports its longest product's mapping.
void take_mapping(LayerCost& layer, const LayerCost& product) {
  layer.dataflow = product.dataflow;
  layer.tile = product.tile;
  layer.loop_order = product.loop_order;
  layer.bound = product.bound;
}

/// Cost of `count` equal products, one after the other.
LayerCost repeated(const LayerCost& one, std::int64_t count) {
  LayerCost all = nothing();
  add_traffic(all, one, count);
  take_mapping(all, one);
  return all;
}

/// Costs of the layers, as sums over their products; `cost_of` is called once per distinct product
/// with riders, and covers all `count` of it. `riders(layer, i)`: work beside product `i`.
template <typename Riders, typename CostOf>
std::vector<LayerCost> layers_of(const std::vector<Layer>& layers, std::int64_t units,
                                 const OnLayerDone& told, Riders&& riders, CostOf&& cost_of) {
  std::map<std::pair<Gemm, RiderWork>, LayerCost> known;
  std::vector<LayerCost> out;
  for (const Layer& layer : layers) {
    LayerCost sum = nothing();
    std::int64_t longest = 0;  // of the products so far, in cycles
    for (std::size_t i = 0; i < layer.gemms.size(); ++i) {
      const std::pair<Gemm, RiderWork> key(layer.gemms[i], riders(layer, i));
      const auto [found, added] = known.try_emplace(key);
      if (added) found->second = cost_of(key.first, key.second);
      const LayerCost& product = found->second;
      if (product.total_cycles() > longest) take_mapping(sum, product);
      longest = std::max(longest, product.total_cycles());
      add_traffic(sum, product, 1);
      sum.edge_cycles = product.edge_cycles;
    }
    sum.utilization = utilization(sum, units);
    out.push_back(std::move(sum));
    if (told) told(out.size());
  }
  return out;
}

Estimate with_totals(std::vector<LayerCost> layers, std::int64_t units) {
  LayerCost totals = totals_of(layers, units);
  return {std::move(layers), std::move(totals)};
}

/// Converts the DRAM words of a layer in the scalesim convention to bytes.
void tell_bytes(LayerCost& c, const PerOperand<std::int64_t>& bits) {
  if (!c.dram) return;
  c.dram_read_bytes =
      word_bytes(c.dram->ifmap, bits.ifmap) + word_bytes(c.dram->filter, bits.filter);
  c.dram_write_bytes = word_bytes(c.dram->ofmap, bits.ofmap);
}

LayerCost scalesim_on(const Gemm& g, const Machine& m, const EnergyRates& rates) {
  LayerCost c = repeated(scalesim(g, scalesim_machine(m)), g.count);
  c.sram_used_bytes = m.sram.total_bytes();
  tell_bytes(c, m.widths.bits);
  if (c.dram) c.energy = energy_of(c, rates);
  return c;
}

/// Adds the vector operations of a layer with several products, which run beside all of them. Those
/// beside a single product are in its cost.
void add_operations(LayerCost& cost, std::int64_t operations, const Machine& m) {
  cost.vector_operations += operations;
  const std::int64_t before = cost.total_cycles();
  const std::int64_t cycles =
      std::max(before, cost.edge_cycles + ceil_div(operations, m.vector.lanes));
  if (cycles == before) return;
  cost.bound = Bound::kVector;
  cost.stall_cycles = cycles - cost.compute_cycles;
  cost.latency_ns = static_cast<double>(cycles) * m.cycle_ns();
  cost.utilization = utilization(cost, m.units());
}

void add_vector(LayerCost& cost, const Layer& layer, const Machine& m, const EnergyRates& rates) {
  if (m.vector.lanes < 1) return;
  if (layer.gemms.empty())
    cost = vector_cost(*layer.vector, m);
  else if (layer.gemms.size() > 1 && layer.vector->operations > 0)
    add_operations(cost, layer.vector->operations, m);
  cost.energy = energy_of(cost, rates);
}

/// Costs of the products of each layer; in the scalesim convention `finished` sets the latency.
std::vector<LayerCost> products_beside(const std::vector<Layer>& layers, const Machine& machine,
                                       const EnergyRates& rates, const EstimateOptions& options) {
  const bool scalesim = options.convention == Convention::kScalesim;
  return layers_of(
      layers, machine.units(), options.told,
      [&](const Layer& layer, std::size_t i) {
        return scalesim ? RiderWork() : riders_of(layer, i, machine);
      },
      [&](const Gemm& g, const RiderWork& riders) {
        return scalesim
                   ? scalesim_on(g, machine, rates)
                   : std::move(search_mapping(g, machine, rates, search_of(options, riders))->cost);
      });
}

/// Completes the costs of the products: adds vector unit work, latencies and totals.
Estimate finished(std::vector<LayerCost> costs, const std::vector<Layer>& layers,
                  const Machine& machine, const EnergyRates& rates,
                  const EstimateOptions& options) {
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (options.convention == Convention::kScalesim)
      costs[i].latency_ns = static_cast<double>(costs[i].total_cycles()) * machine.cycle_ns();
    else if (layers[i].vector)
      add_vector(costs[i], layers[i], machine, rates);
  return with_totals(std::move(costs), machine.units());
}

/// Parts of a machine that a designer would enlarge, and the conventions in which the cycles of a
/// product depend on them.
struct StallPart {
  std::string_view key;
  void (*twice)(Machine&);
  bool scalesim, overlapped;
};
constexpr std::array kParts = {
    StallPart{"array.rows", [](Machine& m) { m.rows *= 2; }, true, true},
    StallPart{"array.columns", [](Machine& m) { m.columns *= 2; }, true, true},
    StallPart{"sram",
              [](Machine& m) {
                m.sram.shared_bytes *= 2;
                m.sram.bytes.ifmap *= 2, m.sram.bytes.filter *= 2, m.sram.bytes.ofmap *= 2;
              },
              true, true},
    StallPart{"vector.lanes", [](Machine& m) { m.vector.lanes *= 2; }, false, true},
    StallPart{"dram.gb_per_s", [](Machine& m) { m.dram.gb_per_s *= 2; }, false, true},
    StallPart{"clock_mhz", [](Machine& m) { m.clock_mhz *= 2; }, false, true}};

double share_saved(const LayerCost& before, const LayerCost& after) {
  return *before.latency_ns > 0 ? 1 - *after.latency_ns / *before.latency_ns : 0;
}

/// Error if a product does not fit the SRAM with the given tile, or with the smallest one if none
/// is given; reports the first such product.
Result<void> check_room(const std::vector<Layer>& layers, const Machine& machine,
                        const EstimateOptions& options) {
  if (options.convention == Convention::kScalesim) return {};
  const Tile tile = options.tile.value_or(Tile{1, 1, 1});
  for (const Layer& layer : layers)
    for (const Gemm& g : layer.gemms)
      if (const std::int64_t lacking = min_shortage(g, machine, tile); lacking > 0)
        return input_error("RIDGE-ACC-0160",
                           fmt::format("tile {},{},{} of layer '{}' needs {} bytes more than the "
                                       "SRAM of {} has",
                                       tile.m, tile.n, tile.k, layer.name, lacking, machine.name))
            .hint("use a smaller tile, or omit --tile to search for one");
  return {};
}

}  // namespace

LayerCost totals_of(const std::vector<LayerCost>& layers, std::int64_t units) {
  LayerCost sum = nothing();
  for (const LayerCost& layer : layers) add_traffic(sum, layer, 1);
  sum.utilization = utilization(sum, units);
  return sum;
}

Result<Estimate> estimate(const std::vector<Layer>& layers, const Machine& machine,
                          const EnergyRates& rates, const EstimateOptions& options) {
  TRY(check_room(layers, machine, options));
  const std::vector<LayerCost> products = products_beside(layers, machine, rates, options);
  Estimate out = finished(products, layers, machine, rates, options);
  if (!options.sensitivity) return out;
  for (const StallPart& part : kParts) {
    Machine more = machine;
    part.twice(more);
    const bool anew = options.convention == Convention::kScalesim ? part.scalesim : part.overlapped;
    const Estimate changed =
        finished(anew ? products_beside(layers, more, rates, options) : products, layers, more,
                 rates, options);
    for (std::size_t i = 0; i < layers.size(); ++i)
      out.layers[i].sensitivity.emplace_back(part.key,
                                             share_saved(out.layers[i], changed.layers[i]));
    out.totals.sensitivity.emplace_back(part.key, share_saved(out.totals, changed.totals));
  }
  return out;
}

Estimate estimate(const std::vector<Layer>& layers, const ScalesimMachine& machine,
                  const OnLayerDone& told) {
  const std::int64_t units = machine.rows * machine.columns;
  return with_totals(layers_of(
                         layers, units, told, [](const Layer&, std::size_t) { return RiderWork(); },
                         [&](const Gemm& g, const RiderWork&) {
                           LayerCost c = repeated(scalesim(g, machine), g.count);
                           const PerOperand<std::int64_t>& sram = machine.sram_bytes;
                           c.sram_used_bytes = sram.ifmap + sram.filter + sram.ofmap;
                           tell_bytes(c, {8, 8, 8});  // SCALE-Sim's words are bytes
                           return c;
                         }),
                     units);
}

}  // namespace ridge::accelerator
