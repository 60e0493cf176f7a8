// What a network costs on a described machine, layer by layer.
//
//   const Estimate e = estimate(network.layers, machine, rates, {.convention = ...});
//   e.layers[i].total_cycles(); e.totals.dram->ifmap
//
// Modelled, never measured. A layer's figures are sums over its products, one after the other;
// layers run one after the other. Equal products are reckoned once.
// Conventions:
// - kScalesim: SCALE-Sim v2's (scalesim.h): folds drain before the next one starts, words of DRAM
//   as in mode CALC, no shared bandwidth.
// - kOverlapped: double-buffered array and memories, tiles, one DRAM (overlapped.h).
// Thread rule: pure function. Cost: see the conventions, per distinct product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "accelerator/cost.h"
#include "accelerator/energy.h"
#include "accelerator/lowering.h"
#include "accelerator/machine.h"
#include "accelerator/scalesim/scalesim.h"
#include "accelerator/tile_search.h"
#include "base/result.h"

namespace ridge::accelerator {

enum class Convention : std::uint8_t { kScalesim, kOverlapped };
/// "scalesim", "overlapped".
std::string_view name(Convention convention);

/// Told of how many layers are reckoned, after each.
using Told = std::function<void(std::size_t layers)>;

struct Question {
  Convention convention = Convention::kOverlapped;
  Objective objective = Objective::kLatency;  ///< of the search for tiles and orders
  std::optional<Tile> tile;                   ///< in place of the search
  bool any_dataflow = false;                  ///< the best of all three in place of the machine's
  bool sensitivity = true;                    ///< also reckon each layer with parts doubled
  Told told = {};                             ///< empty: nobody asks
};

/// What search_mapping and pareto_front are asked for a question.
inline Search search_of(const Question& q) { return {q.objective, q.tile, q.any_dataflow}; }

struct Estimate {
  std::vector<LayerCost> layers;  ///< by layer; all zero where it has no products
  LayerCost totals;               ///< of the layers that have; tile, order and bound are of none
};

/// Errors (input class): a given tile that does not fit the machine's SRAM, by how many bytes.
Result<Estimate> estimate(const std::vector<Layer>& layers, const Machine& machine,
                          const EnergyRates& rates, const Question& question);

/// SCALE-Sim's own machine: it has no clock and no energies.
Estimate estimate(const std::vector<Layer>& layers, const ScalesimMachine& machine,
                  const Told& told = {});

/// The sum of layers on an array of so many units; what is unknown of one is unknown of the sum.
LayerCost totals_of(const std::vector<LayerCost>& layers, std::int64_t units);

}  // namespace ridge::accelerator
