// SPDX-License-Identifier: Apache-2.0
#include "accelerator/overlapped.h"

#include <algorithm>

#include "accelerator/array_cycles.h"
#include "accelerator/schedule.h"

namespace ridge::accelerator {
namespace {

/// Calls visit(sizes of M, N, K; number of tiles with these sizes) for each tile shape.
template <typename Visit>
void for_each_tile_shape(const Tiles& t, Visit&& visit) {
  const auto shapes = [](const Cut& c, auto&& use) {
    if (c.count() > 1) use(c.tile, c.count() - 1);
    use(c.size(c.count() - 1), std::int64_t{1});
  };
  shapes(t.m(), [&](std::int64_t m, std::int64_t cm) {
    shapes(t.n(), [&](std::int64_t n, std::int64_t cn) {
      shapes(t.k(), [&](std::int64_t k, std::int64_t ck) { visit(m, n, k, cm * cn * ck); });
    });
  });
}

/// Adds the words between SRAM and array and the folds of all tiles to `cost`.
void count_array(const Tiles& t, const Machine& machine, Dataflow dataflow, LayerCost& cost) {
  for_each_tile_shape(t, [&](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t tiles) {
    const std::int64_t times = tiles * t.products();
    const Layout l = layout(m, n, k, dataflow);
    const Traffic w = array_words(l, machine.rows, machine.columns, dataflow);
    cost.sram.ifmap += times * w.ifmap;
    cost.sram.filter += times * w.filter;
    cost.sram.psum_reads += times * w.psum_reads;
    cost.sram.psum_writes += times * w.psum_writes;
    cost.folds += times * ceil_div(l.rows, machine.rows) * ceil_div(l.columns, machine.columns);
  });
  // Every tile of K except the first adds to the partial sums of the previous one.
  const std::int64_t outputs = t.products() * t.m().length * t.n().length;
  cost.sram.ofmap = outputs;
  cost.sram.psum_reads += outputs * (t.k().count() - 1);
  cost.sram.psum_writes += outputs * (t.k().count() - 1);
}

/// Bottleneck of a layer. `ports`: cycles by which the SRAM ports slow the array down; `fill`:
/// cycles of filling, emptying, first load and last store.
Bound bound_of(const LayerCost& c, const Machine& m, std::int64_t ports, std::int64_t fill) {
  const Widths& w = m.widths;
  const auto cycles = [&](std::int64_t words, std::int64_t bits) {
    return static_cast<double>(word_bytes(words, bits)) / m.dram_bytes_per_cycle();
  };
  const std::array streams = {
      std::pair(Bound::kDramIfmap, cycles(c.dram->ifmap, w.bits.ifmap)),
      std::pair(Bound::kDramFilter, cycles(c.dram->filter, w.bits.filter)),
      std::pair(Bound::kDramOfmap, cycles(c.dram->ofmap, w.bits.ofmap)),
      std::pair(Bound::kDramPsum,
                cycles(c.dram->psum_reads + c.dram->psum_writes, w.accumulator_bits))};
  double dram = 0;
  auto widest = streams[0];
  for (const auto& s : streams) {
    dram += s.second;
    if (s.second > widest.second) widest = s;
  }
  const auto steady = static_cast<double>(c.compute_cycles);
  if (static_cast<double>(fill) > std::max(steady, dram)) return Bound::kFill;
  if (dram > steady) return widest.first;
  return ports > 0 ? Bound::kSramPort : Bound::kCompute;
}

}  // namespace

std::int64_t array_cycles(const Tiles& t, const Machine& machine, Dataflow dataflow) {
  std::int64_t cycles = 0;
  for_each_tile_shape(t, [&](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t times) {
    cycles += times * steady_cycles(layout(m, n, k, dataflow), machine.rows, machine.columns);
  });
  return cycles * t.products();
}

LayerCost overlapped(const Tiles& t, const Machine& machine, const Mapping& how,
                     const RiderWork& riders) {
  Movement moved = movement(t, machine.widths, how);
  moved.words.ifmap += riders.read;
  moved.read_bytes += word_bytes(riders.read, machine.widths.bits.ifmap);
  LayerCost c;
  c.dataflow = how.dataflow;
  c.tile = {t.m().tile, t.n().tile, t.k().tile, how.tile.products};
  c.loop_order = name(how.order);
  c.padded_macs = t.products() * t.m().length * t.n().length * t.k().length;
  c.dram = moved.words;
  c.dram_read_bytes = moved.read_bytes;
  c.dram_write_bytes = moved.write_bytes;
  const PerOperand<std::int64_t> needed = sram_bytes(t, machine.widths, how);
  c.sram_used_bytes = needed.ifmap + needed.filter + needed.ofmap;
  count_array(t, machine, how.dataflow, c);
  c.sram.ifmap += riders.read;
  c.vector_operations = riders.operations;

  const Schedule s = schedule(t, machine, how, riders.read);
  const std::int64_t vector =
      riders.operations > 0 ? s.edges + ceil_div(riders.operations, machine.vector.lanes) : 0;
  const std::int64_t total = std::max(s.total, vector);
  c.compute_cycles = s.working;
  c.stall_cycles = total - s.working;
  c.edge_cycles = s.edges;
  c.latency_ns = static_cast<double>(total) * machine.cycle_ns();
  const double all_units = static_cast<double>(machine.units()) * static_cast<double>(total);
  c.utilization = static_cast<double>(c.padded_macs) / all_units;
  c.bound = vector > s.total
                ? Bound::kVector
                : bound_of(c, machine,
                           c.compute_cycles - s.filling - array_cycles(t, machine, how.dataflow),
                           s.edges + s.filling);
  return c;
}

}  // namespace ridge::accelerator
