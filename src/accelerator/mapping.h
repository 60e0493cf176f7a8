// How a product is worked on tile by tile, what then lies in the SRAM and what crosses DRAM.
//
//   const Mapping how{Dataflow::kWeightStationary, {.m = 448, .n = 64, .k = 64}, kLoopOrders[4]};
//   const Tiles tiles(gemm, how.tile);
//   if (sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram) == 0)
//     Movement m = movement(tiles, machine.widths, how);
//
// Three loops run over the tiles of M, N and K in a stated order. A tile of an operand is loaded
// where the step before used another one. An operand that one loop does not concern is the same for
// all of that loop: the ifmap for N, the filter for M, the ofmap for K. Where that loop is the
// innermost nothing is loaded twice. Where it is not, the tiles of the loops inside may be kept on
// chip (`keep_middle`, `keep_outer`: of the operand whose loop is the middle or the outermost one),
// and then nothing is loaded twice either; else all come again with every step of it. For the ofmap
// that is: partial sums are written, of the accumulator's width, and read back but for the first
// tile of K. Of a convolution's next band only the rows come that the band before has not, where
// that one is still on chip: where M is inside K, K is one tile, or all its tiles are kept.
//
// A product stands for `count` of its shape, one after the other. While the last tile of one is
// worked on, the first of the next is fetched (`ahead`), unless each needs the result of the one
// before; and of products that are a single tile, several may be one step (`tile.products`):
// loaded, worked on and stored at a time.
//
// SRAM: two tiles of an operand that moves, one of an operand that is a single tile, all tiles
// that are kept; of the ofmap in accumulators. What is fetched ahead of the next product is one
// tile more.
//
// Source: the words of the three orders are the table of Timeloop's and SCALE-Sim's literature
// (docs/accelerator.md). Thread rule: pure functions.
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
  bool ahead = false;  ///< of several products; not where they are in turn
};

/// The tiles along one dimension.
inline const Cut& cut(const Tiles& t, Dimension d) {
  return d == Dimension::kM ? t.m() : d == Dimension::kN ? t.n() : t.k();
}

/// What a mapping makes of each operand: whether a tile of it is loaded (of the ofmap: its partial
/// sums spilled) once only.
struct Residence {
  Residence(const Tiles& tiles, const Mapping& how);

  bool ifmap, filter, ofmap;
  bool bands;  ///< of a convolution's band only what the one before has not is loaded
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

}  // namespace ridge::accelerator
