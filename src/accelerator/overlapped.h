// The cost of a product on a double-buffered accelerator with one DRAM: the convention
// `overlapped`.
//
//   const Mapping how{Dataflow::kWeightStationary, {.m = 448, .n = 64, .k = 64}, kLoopOrders[4]};
//   const Tiles tiles(gemm, how.tile);
//   if (sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram) == 0)
//     LayerCost c = overlapped(tiles, machine, how);
//
// Three loops run over the tiles of M, N and K in a stated order. While the array works on tile i,
// the results of tile i - 1 go to DRAM and the operands of tile i + 1 come from it, over one
// bandwidth; so with tiles 0 .. last
//   cycles = load(0) + sum over i of max(array(i), store(i - 1) + load(i + 1)) + store(last)
//   load, store = latency + ceil(bytes / bytes per cycle), 0 where there is nothing to move
// array(i) are the cycles of array_cycles.h, those of filling and emptying the array in array(0),
// or those that the SRAM's ports need where these are more.
//
// What moves: a tile of an operand is loaded where the step before used another one. An operand
// that one loop does not concern is the same for all of that loop: the ifmap for N, the filter for
// M, the ofmap for K. Where that loop is the innermost nothing is loaded twice. Where it is not,
// the tiles of the loops inside may be kept on chip (`keep_middle`, `keep_outer`: of the operand
// whose loop is the middle or the outermost one), and then nothing is loaded twice either; else all
// come again with every step of it. For the ofmap that is: partial sums are written, of the
// accumulator's width, and read back but for the first tile of K. Of a convolution's next band only
// the rows come that the band before has not, where that one is still on chip: where M is inside K,
// K is one tile, or all its tiles are kept.
// A product stands for `count` of its shape, one after the other. While the last tile of one is
// worked on, the first of the next is fetched (`ahead`), unless each needs the result of the one
// before; and of products that are a single tile, several may be one step (`together`): loaded,
// worked on and stored at a time.
// SRAM: two tiles of an operand that moves, one of an operand that is a single tile, all tiles that
// are kept; of the ofmap in accumulators. What is fetched ahead of the next product is one tile more.
//
// Sources: the pipeline is that of double-buffered tiles as in MAESTRO's and ONNXim's models, with
// exact edge tiles and one bandwidth; DRAM words of the three orders are the table of Timeloop's
// and SCALE-Sim's literature (docs/accelerator.md). Thread rule: pure functions.
// Cost: O(classes of steps), 64 for matrices; not O(tiles).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "accelerator/cost.h"
#include "accelerator/machine.h"
#include "accelerator/tiles.h"

namespace ridge::accelerator {

enum class Dimension : std::uint8_t { kM, kN, kK };
/// Outermost first.
using LoopOrder = std::array<Dimension, 3>;
inline constexpr std::array kLoopOrders = {LoopOrder{Dimension::kM, Dimension::kN, Dimension::kK},
                                           LoopOrder{Dimension::kN, Dimension::kM, Dimension::kK},
                                           LoopOrder{Dimension::kM, Dimension::kK, Dimension::kN},
                                           LoopOrder{Dimension::kK, Dimension::kM, Dimension::kN},
                                           LoopOrder{Dimension::kN, Dimension::kK, Dimension::kM},
                                           LoopOrder{Dimension::kK, Dimension::kN, Dimension::kM}};
/// "n,k,m".
std::string_view name(const LoopOrder& order);

struct Mapping {
  Dataflow dataflow = Dataflow::kWeightStationary;
  Tile tile;
  LoopOrder order = kLoopOrders[0];
  bool keep_middle = false, keep_outer = false;
  bool ahead = false;         ///< of several products; not where they are in turn
  std::int64_t together = 1;  ///< more than 1 only where a product is one tile
};

/// Bytes of SRAM that a mapping needs; an ofmap's are accumulators.
PerOperand<std::int64_t> sram_bytes(const Tiles& tiles, const Widths& widths, const Mapping& how);

/// By how many bytes that is more than there is, of the operand that lacks most; 0: it fits.
std::int64_t sram_shortage(const PerOperand<std::int64_t>& needed, const Sram& sram);

/// What crosses DRAM for all products; the same for every dataflow.
struct Movement {
  Traffic words;
  std::int64_t read_bytes = 0, write_bytes = 0;
};
Movement movement(const Tiles& tiles, const Widths& widths, const Mapping& how);

/// Cycles of the array for all tiles of all products, full before and after; the same for every loop
/// order.
std::int64_t array_cycles(const Tiles& tiles, const Machine& machine, Dataflow dataflow);

/// All `gemm.count` products. Their energy is left to the caller.
LayerCost overlapped(const Tiles& tiles, const Machine& machine, const Mapping& how);

}  // namespace ridge::accelerator
