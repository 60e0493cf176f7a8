// SPDX-License-Identifier: Apache-2.0
// Finds the best tiles, loop order and dataflow for a product on a machine.
//
//   std::optional<Found> best = search_mapping(gemm, machine, rates, {.objective = ...});
//
// The candidates are:
// - tiles that cut a dimension into 1, 2, 3, 4, 6, 8, 12, 16, ... parts (for a convolution: its
//   rows of outputs, then one row; its channels, then one channel), in all combinations;
// - all orders of the loops that have more than one tile;
// - every way to keep tiles on chip;
// - for several products: the first tile of the next one fetched ahead or not (only with double
//   buffering), and, where a product is one tile, 1, 2, 3, 4, 6, ... products at a time;
// - the machine's dataflow, or all three.
// A candidate that needs more SRAM than the machine has is dropped. A candidate whose lower bound
// (array cycles and DRAM bytes without waiting) cannot beat the best so far is not evaluated. So
// the result is the best of all candidates. The candidates do not depend on the machine, so the
// result never gets worse with more SRAM, a faster DRAM or a larger array (at unchanged energies).
// Among candidates of equal latency the one with the least energy wins, and vice versa. Without an
// energy table the bytes of DRAM stand for the energy.
// Thread rule: pure functions. Cost: about a millisecond.
#pragma once

#include <optional>
#include <vector>

#include "accelerator/energy.h"
#include "accelerator/overlapped.h"
#include "base/words.h"

namespace ridge::accelerator {

enum class Objective : std::uint8_t { kLatency, kEnergy, kEdp };

}  // namespace ridge::accelerator

namespace ridge {

template <>
struct Words<accelerator::Objective> {
  using E = accelerator::Objective;
  static constexpr std::array list{Word{E::kLatency, "latency"}, Word{E::kEnergy, "energy"},
                                   Word{E::kEdp, "edp"}};
};

}  // namespace ridge

namespace ridge::accelerator {

struct Search {
  /// The least latency alone would move up to twice the bytes for a percent of it
  Objective objective = Objective::kEdp;
  std::optional<Tile> tile;   ///< search this tile only, clamped to the product's sizes
  bool any_dataflow = false;  ///< search all three instead of the machine's
  RiderWork riders = {};      ///< work of the riders of all products
};

struct Found {
  Mapping mapping;
  LayerCost cost;  ///< cost of all `gemm.count` products, energy included
};

/// Best mapping; nullopt: nothing fits the SRAM.
std::optional<Found> search_mapping(const Gemm& gemm, const Machine& machine,
                                    const EnergyRates& rates, const Search& search);

/// Candidates that no other candidate beats in both latency and energy, fastest first.
std::vector<Found> pareto_front(const Gemm& gemm, const Machine& machine, const EnergyRates& rates,
                                const Search& search);

/// Smallest SRAM overflow of `tile` over all loop orders, in bytes; 0: a mapping fits.
std::int64_t min_shortage(const Gemm& gemm, const Machine& machine, const Tile& tile);

}  // namespace ridge::accelerator
