// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/scalesim.h"

#include <algorithm>
#include <limits>

#include "accelerator/scalesim/demand.h"
#include "accelerator/scalesim/folds.h"
#include "accelerator/scalesim/half_buffer.h"
#include "accelerator/scalesim/prefetcher.h"
#include "accelerator/scalesim/window_addresses.h"
#include "accelerator/scalesim/write_buffer.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

/// Limits above which the simulation takes too long (elements that cross an edge of the array) or
/// needs too much memory (prefetched addresses).
constexpr std::int64_t kMaxDemands = std::int64_t{1} << 32;
constexpr std::int64_t kMaxPrefetched = std::int64_t{1} << 27;

/// State of the three buffers while the array runs.
template <typename ReadBuffer>
class Memory {
 public:
  Memory(const Gemm& g, const Sparsity& sparsity, const WindowAddresses& addresses,
         ReadBuffer ifmap, ReadBuffer filter, WriteBuffer ofmap)
      : depth_(g.k),
        sparsity_(sparsity),
        addresses_(addresses),
        ifmap_(std::move(ifmap)),
        filter_(std::move(filter)),
        ofmap_(std::move(ofmap)) {}

  void ifmap(std::int64_t m, std::int64_t k) {
    const std::int64_t address = addresses_.at(m, k);
    if (address >= 0) ifmap_.read(address, now_);
  }
  void filter(std::int64_t k, std::int64_t n) { filter_.read(n * depth_ + sparsity_.row(k), now_); }
  void ofmap(std::int64_t, std::int64_t) { ofmap_.write(now_); }
  void end_of_cycle() {
    // The three buffers fetch side by side, so the array waits for the slowest: stalls of 3, 5 and
    // 0 cycles cost 5. The last output waits for its own buffer alone.
    const std::int64_t ofmap_stall = ofmap_.stall(now_);
    last_ = now_ + ofmap_stall + 1;
    now_ += 1 + std::max({ifmap_.stall(now_), filter_.stall(now_), ofmap_stall});
  }

  /// Cycle in which the last output was accepted.
  std::int64_t last_cycle() const { return last_; }
  Traffic words() {
    return {.ifmap = ifmap_.words(), .filter = filter_.words(), .ofmap = ofmap_.finish(last_)};
  }
  /// From the first word prefetched to the last one stored; call after words().
  std::optional<std::int64_t> cycles_with_prefetch() const {
    const auto ifmap = ifmap_.first_cycle(), filter = filter_.first_cycle();
    return ifmap && filter ? std::optional(ofmap_.last_cycle() - std::min(*ifmap, *filter))
                           : std::nullopt;
  }

 private:
  std::int64_t depth_;
  Sparsity sparsity_;
  const WindowAddresses& addresses_;
  ReadBuffer ifmap_, filter_;
  WriteBuffer ofmap_;
  std::int64_t now_ = 0, last_ = 0;
};

using Order = std::vector<std::int32_t>;

/// Order in which a matrix is prefetched: `steps` of a stream by `length` positions, in folds of
/// `lanes` positions, one fold below the other; at(step, position) is the address. Streamed
/// operands are read along diagonals.
/// Example: 2 steps, length 3, 2 lanes. Row by row, as (step, position): (0, 0) (0, 1) (1, 0)
/// (1, 1), then the second fold (0, 2) -1 (1, 2) -1. Along diagonals: (0, 0), (1, 0) (0, 1), (0, 2)
/// (1, 1), (1, 2) -1, -1.
template <typename At>
Order prefetch_order(std::int64_t steps, std::int64_t length, std::int64_t lanes, bool diagonal,
                     At&& at) {
  const std::int64_t rows = steps * ceil_div(length, lanes);
  Order out;
  out.reserve(static_cast<std::size_t>(rows * lanes));
  const auto element = [&](std::int64_t row, std::int64_t lane) {
    const std::int64_t position = row / steps * lanes + lane;
    out.push_back(position < length ? static_cast<std::int32_t>(at(row % steps, position)) : -1);
  };
  if (!diagonal) {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < lanes; ++c) element(r, c);
    return out;
  }
  for (std::int64_t d = 0; d < rows + lanes - 1; ++d)
    for (std::int64_t r = std::min(d, rows - 1); r >= std::max<std::int64_t>(0, d - lanes + 1); --r)
      element(r, d - r);
  return out;
}

Order ifmap_order(const Gemm& g, const ScalesimMachine& m, const WindowAddresses& addresses) {
  const auto across = [&](std::int64_t k, std::int64_t row) { return addresses.at(row, k); };
  const auto along = [&](std::int64_t row, std::int64_t k) { return addresses.at(row, k); };
  switch (m.dataflow) {
    case Dataflow::kOutputStationary:
      return prefetch_order(g.k, g.m, m.rows, true, across);
    case Dataflow::kWeightStationary:
      return prefetch_order(g.m, g.k, m.rows, true, along);
    case Dataflow::kInputStationary:
      return prefetch_order(g.k, g.m, m.columns, false, across);
  }
  return {};
}

Order filter_order(const Gemm& g, const ScalesimMachine& m) {
  const auto along = [&](std::int64_t k, std::int64_t n) { return n * g.k + k; };
  const auto across = [&](std::int64_t n, std::int64_t k) { return n * g.k + k; };
  switch (m.dataflow) {
    case Dataflow::kOutputStationary:
      return prefetch_order(g.k, g.n, m.columns, true, along);
    case Dataflow::kWeightStationary:
      return prefetch_order(g.k, g.n, m.columns, false, along);
    case Dataflow::kInputStationary:
      return prefetch_order(g.n, g.k, m.rows, true, across);
  }
  return {};
}

/// Words that cross the edges of the array. With ws, v3 reads the ifmap once per row of a block: "a
/// single block of input is shared among M/N rows".
Traffic edge_words(const Gemm& g, Dataflow dataflow, const Folds& f, std::int64_t depth,
                   const Sparsity& s) {
  const std::int64_t a = g.m * depth, b = depth * g.n, c = g.m * g.n;
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      return {.ifmap = a * f.column_folds, .filter = b * f.row_folds, .ofmap = c};
    case Dataflow::kWeightStationary:
      return {.ifmap = a * f.column_folds * s.of / s.kept, .filter = b, .ofmap = c * f.row_folds};
    case Dataflow::kInputStationary:
      return {.ifmap = a, .filter = b * f.column_folds, .ofmap = c * f.row_folds};
  }
  return {};
}

/// Tile that the array processes at a time; sets `order` to the matching loop order.
Tile array_tile(const ScalesimMachine& m, std::string_view& order) {
  switch (m.dataflow) {
    case Dataflow::kOutputStationary:
      order = "n,m,k";
      return {m.rows, m.columns, 1};
    case Dataflow::kWeightStationary:
      order = "n,k,m";
      return {1, m.columns, m.rows};
    case Dataflow::kInputStationary:
      order = "m,k,n";
      return {m.columns, 1, m.rows};
  }
  return {};
}

bool can_be_followed(const Gemm& g, const ScalesimMachine& machine, const LayerCost& cost) {
  const std::int64_t most = std::max({cost.sram.ifmap, cost.sram.filter, cost.sram.ofmap});
  if (most > kMaxDemands || cost.compute_cycles > kMaxDemands) return false;
  if (!machine.bandwidth) return true;
  const std::int64_t side = std::max(machine.rows, machine.columns);
  return (g.m + side) * (g.k + side) <= kMaxPrefetched &&
         (g.k + side) * (g.n + side) <= kMaxPrefetched;
}

template <typename ReadBuffer>
void follow(Memory<ReadBuffer> memory, const Folds& folds, const ScalesimMachine& machine,
            LayerCost& cost) {
  for_each_cycle(folds, machine, memory);
  cost.stall_cycles = memory.last_cycle() - cost.compute_cycles;
  cost.dram = memory.words();
  cost.cycles_with_prefetch = memory.cycles_with_prefetch();
}

}  // namespace

LayerCost scalesim(const Gemm& g, const ScalesimMachine& machine) {
  const Folds folds = scalesim_folds(g, machine);
  LayerCost cost;
  cost.dataflow = machine.dataflow;
  cost.tile = array_tile(machine, cost.loop_order);
  const std::int64_t depth = scalesim_depth(g, machine);
  const Sparsity sparsity = machine.sparse ? g.sparsity : Sparsity();
  cost.padded_macs = g.m * g.n * depth;
  cost.folds = folds.count();
  cost.compute_cycles = cost.folds * folds.cycles_of_one - 1;
  cost.sram = edge_words(g, machine.dataflow, folds, depth, sparsity);
  if (!can_be_followed(g, machine, cost)) return cost;

  const WindowAddresses addresses(g.window, sparsity);
  const PerOperand<std::int64_t>& sram = machine.sram_bytes;
  const std::int64_t ifmap = g.window.elements(), filter = g.k * g.n;
  if (const auto bandwidth = machine.bandwidth)
    follow(Memory(g, sparsity, addresses,
                  Prefetcher(sram.ifmap, *bandwidth, ifmap_order(g, machine, addresses), ifmap),
                  Prefetcher(sram.filter, *bandwidth, filter_order(g, machine), filter),
                  WriteBuffer(sram.ofmap, *bandwidth)),
           folds, machine, cost);
  else
    follow(Memory(g, sparsity, addresses, HalfBuffer(sram.ifmap, ifmap),
                  HalfBuffer(sram.filter, filter), WriteBuffer(sram.ofmap, machine.columns)),
           folds, machine, cost);
  return cost;
}

}  // namespace ridge::accelerator
