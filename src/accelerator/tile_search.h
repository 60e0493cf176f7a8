// The best tiles, loop order and dataflow for a product on a machine.
//
//   std::optional<Found> best = search_mapping(gemm, machine, rates, {.objective = ...});
//
// Tried are: tiles that cut a dimension into 1, 2, 3, 4, 6, 8, 12, 16, ... parts (of a convolution:
// its rows of outputs, then one row; its channels, then one channel), with each other; the orders
// of the loops that have more than one tile; keeping on chip what can be kept; of several products
// the next one's first tile fetched ahead or not, and of those that are one tile 1, 2, 3, 4, 6, ...
// at a time; the machine's dataflow or all three. What needs more SRAM than there is drops out;
// what cannot beat the best so far, by a bound (array cycles and DRAM bytes without waiting), is
// not reckoned further. So the result is the best of all of them, and since the candidates do not
// depend on the machine it never gets worse with more SRAM, a faster DRAM or a larger array (at
// unchanged energies). Among equals in latency the one of the least energy is best, and the other
// way round.
// Thread rule: pure functions. Cost: about a millisecond.
#pragma once

#include <optional>
#include <vector>

#include "accelerator/energy.h"
#include "accelerator/overlapped.h"

namespace ridge::accelerator {

enum class Objective : std::uint8_t { kLatency, kEnergy, kEdp };

struct Search {
  Objective objective = Objective::kLatency;
  std::optional<Tile> tile;   ///< this one alone, no larger than the product
  bool any_dataflow = false;  ///< all three in place of the machine's
};

struct Found {
  Mapping mapping;
  LayerCost cost;  ///< of all `gemm.count`, energy included
};

/// nullopt: nothing fits the SRAM.
std::optional<Found> search_mapping(const Gemm& gemm, const Machine& machine,
                                    const EnergyRates& rates, const Search& search);

/// Those of the candidates that no other beats in both latency and energy, fastest first.
std::vector<Found> pareto_front(const Gemm& gemm, const Machine& machine, const EnergyRates& rates,
                                const Search& search);

/// By how many bytes the mapping of `tile` that needs least still lacks room; 0: one fits.
std::int64_t least_shortage(const Gemm& gemm, const Machine& machine, const Tile& tile);

}  // namespace ridge::accelerator
