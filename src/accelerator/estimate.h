// What a network costs on a described machine, layer by layer.
//
//   Estimate e = estimate(layers, machine);
//   e.layers[i].total_cycles; e.totals.dram_reads.ifmap
//
// Modelled, never measured; `Estimate::convention` says by whose rules. A layer's figures are sums
// over its products, one after the other. Equal products are reckoned once.
// Thread rule: pure function. Cost: see scalesim.h, per distinct product.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/gemm.h"
#include "accelerator/lowering.h"
#include "accelerator/scalesim.h"

namespace ridge::accelerator {

/// The tile that the array works on at a time, in elements of M, N and K.
struct Tile {
  std::int64_t m = 0, n = 0, k = 0;
};

struct LayerCost {
  std::int64_t folds = 0;
  std::int64_t compute_cycles = 0, stall_cycles = 0;
  double utilization = 0;         ///< multiply-accumulates per cycle and processing element
  PerOperand<std::int64_t> sram;  ///< words: ifmap and filter read, ofmap written
  std::optional<PerOperand<std::int64_t>> dram;  ///< the same way round

  std::int64_t total_cycles() const { return compute_cycles + stall_cycles; }
};

struct Estimate {
  std::string_view convention;  ///< "scalesim"
  ScalesimMachine machine;
  Tile tile;                    ///< of every layer: what the array holds
  std::string_view loop_order;  ///< dimensions of the loops over tiles and streams, outermost first
  std::vector<LayerCost> layers;  ///< by layer; all zero where it has no products
  LayerCost totals;               ///< of the layers that have
};

Estimate estimate(const std::vector<Layer>& layers, const ScalesimMachine& machine);

}  // namespace ridge::accelerator
