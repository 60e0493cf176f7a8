// The cost of a product on a double-buffered accelerator with one DRAM: the convention
// `overlapped`.
//
//   const Mapping how{Dataflow::kWeightStationary, {.m = 448, .n = 64, .k = 64}, kLoopOrders[4]};
//   const Tiles tiles(gemm, how.tile);
//   if (sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram) == 0)
//     LayerCost c = overlapped(tiles, machine, how);
//
// The tiles of M, N and K are taken in the order of the mapping, those of all products of one shape
// one after the other. While the array works on tile i, the results of tile i - 1 go to DRAM and
// the operands of tile i + 1 come from it (mapping.h), over one bandwidth; so with tiles 0 .. last
//   cycles = load(0) + sum over i of max(array(i), store(i - 1) + load(i + 1)) + store(last)
//   load, store = latency + ceil(bytes / bytes per cycle), 0 where there is nothing to move
// array(i) are the cycles of array_cycles.h, those of filling and emptying the array in array(0),
// or those that the SRAM's ports need where these are more.
//
// Source: the pipeline is that of double-buffered tiles as in MAESTRO's and ONNXim's models, with
// exact edge tiles and one bandwidth. Thread rule: pure functions.
#pragma once

#include <cstdint>

#include "accelerator/cost.h"
#include "accelerator/machine.h"
#include "accelerator/mapping.h"

namespace ridge::accelerator {

/// Cycles of the array for all tiles of all products, full before and after; the same for every
/// loop order.
std::int64_t array_cycles(const Tiles& tiles, const Machine& machine, Dataflow dataflow);

/// All `gemm.count` products. Their energy is left to the caller.
LayerCost overlapped(const Tiles& tiles, const Machine& machine, const Mapping& how);

}  // namespace ridge::accelerator
