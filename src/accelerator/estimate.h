// SPDX-License-Identifier: Apache-2.0
// Cost of a network on a described machine, layer by layer.
//
//   const Estimate e = estimate(network.layers, machine, rates, {.convention = ...});
//   e.layers[i].total_cycles(); e.totals.dram->ifmap
//
// Modeled, never measured. The figures of a layer are sums over its matrix products, which run one
// after the other; so do layers. Equal products are evaluated once. Conventions:
// - kScalesim: as in SCALE-Sim v2 (scalesim.h): a fold drains before the next one starts, DRAM
//   words as in mode CALC, no shared bandwidth.
// - kOverlapped: double-buffered array and memories, tiles, one DRAM (overlapped.h).
// Thread rule: pure function. Cost: one evaluation of the convention per distinct product.
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
#include "base/words.h"

namespace ridge::accelerator {

enum class Convention : std::uint8_t { kScalesim, kOverlapped };
/// Returns "scalesim" or "overlapped".

}  // namespace ridge::accelerator

namespace ridge {

template <>
struct Words<accelerator::Convention> {
  using E = accelerator::Convention;
  static constexpr std::array list{Word{E::kScalesim, "scalesim"},
                                   Word{E::kOverlapped, "overlapped"}};
};

}  // namespace ridge

namespace ridge::accelerator {

inline std::string_view name(Convention convention) { return word(convention); }

/// Progress callback: called after each layer with the number of layers done.
using OnLayerDone = std::function<void(std::size_t layers)>;

struct EstimateOptions {
  Convention convention = Convention::kOverlapped;
  Objective objective = Objective::kEdp;  ///< objective of the search for tiles and orders
  std::optional<Tile> tile;               ///< tile to use instead of the search
  /// Search all three dataflows instead of the machine's
  bool any_dataflow = false;
  /// Also evaluate each layer with each machine part doubled
  bool sensitivity = true;
  OnLayerDone told = {};  ///< empty: no progress is reported
};

/// Search parameters that the options request, for search_mapping and pareto_front.
inline Search search_of(const EstimateOptions& options, const RiderWork& riders = {}) {
  return {options.objective, options.tile, options.any_dataflow, riders};
}

struct Estimate {
  /// One per layer; all zero where neither products nor vector work are modeled
  std::vector<LayerCost> layers;
  LayerCost totals;  ///< sums over the layers; tile, loop order and bound are not set
};

/// Error (input class): the given tile, or without one the tile 1 x 1 x 1, exceeds the machine's
/// SRAM; the message states by how many bytes.
Result<Estimate> estimate(const std::vector<Layer>& layers, const Machine& machine,
                          const EnergyRates& rates, const EstimateOptions& options);

/// Estimate on SCALE-Sim's own machine, which has no clock and no energies.
Estimate estimate(const std::vector<Layer>& layers, const ScalesimMachine& machine,
                  const OnLayerDone& told = {});

/// Sum of layers on an array of `units` units; a figure that is unknown for one layer is unknown in
/// the sum.
LayerCost totals_of(const std::vector<LayerCost>& layers, std::int64_t units);

}  // namespace ridge::accelerator
