// SPDX-License-Identifier: Apache-2.0
// Cost of a product on a double-buffered accelerator with one DRAM: the convention `overlapped`.
//
//   const Mapping how{Dataflow::kWeightStationary, {.m = 448, .n = 64, .k = 64}, kLoopOrders[4]};
//   const Tiles tiles(gemm, how.tile);
//   if (sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram) == 0)
//     LayerCost c = overlapped(tiles, machine, how);
//
// The tiles of M, N and K are processed in the order of the mapping, the tiles of all products of
// one shape one after the other. While the array processes tile i, the results of tile i - 1 go to
// DRAM and the operands of tile i + 1 are loaded (mapping.h), over one shared bandwidth. With tiles
// 0 .. last:
//   cycles = load(0) + sum over i of max(array(i), store(i - 1) + load(i + 1)) + store(last)
//   load, store = latency + ceil(bytes / bytes per cycle), 0 where there is nothing to move
// array(i) is the number of array cycles (array_cycles.h), with filling and emptying in array(0),
// or the cycles that the SRAM ports need if these are more. Without double buffering
//   cycles = sum over i of load(i) + array(i) + store(i)
//
// Riders (lowering.h) work on the outputs as they leave: what they read besides is loaded with the
// operands of the tile whose outputs they work on, and their operations run beside the array:
//   cycles = max(cycles, load(0) + operations / lanes + store(last))
//
// Source: the pipeline of double-buffered tiles as modeled by MAESTRO and ONNXim, with exact edge
// tiles and one bandwidth.
// Thread rule: pure functions.
#pragma once

#include <cstdint>

#include "accelerator/cost.h"
#include "accelerator/machine.h"
#include "accelerator/mapping.h"

namespace ridge::accelerator {

/// Array cycles of all tiles of all products, with the array full before and after; independent of
/// the loop order.
std::int64_t array_cycles(const Tiles& tiles, const Machine& machine, Dataflow dataflow);

/// Work of the riders of all products. Nothing if the machine has no vector unit.
struct RiderWork {
  std::int64_t read = 0;        ///< elements, besides the outputs
  std::int64_t operations = 0;  ///< operations of the vector unit

  auto operator<=>(const RiderWork&) const = default;
};

/// Cost of all `gemm.count` products, without energy: the caller adds it.
LayerCost overlapped(const Tiles& tiles, const Machine& machine, const Mapping& how,
                     const RiderWork& riders = {});

}  // namespace ridge::accelerator
