// SPDX-License-Identifier: Apache-2.0
// Mapping of a product to tiles: what resides in the SRAM and what crosses DRAM.
//
//   const Mapping how{Dataflow::kWeightStationary, {.m = 448, .n = 64, .k = 64}, kLoopOrders[4]};
//   const Tiles tiles(gemm, how.tile);
//   if (sram_shortage(sram_bytes(tiles, machine.widths, how), machine.sram) == 0)
//     Movement m = movement(tiles, machine.widths, how);
//
// Three loops run over the tiles of M, N and K in a given order. A step loads a tile of an operand
// if the previous step used a different one. Each operand is independent of one loop: the ifmap of
// N, the filter of M, the ofmap of K. If that loop is the innermost, no tile is loaded twice.
// Otherwise the tiles of the loops inside it may be kept on chip (`keep_middle`, `keep_outer`: for
// the operand whose independent loop is the middle or the outermost one), and then no tile is
// loaded twice either; if they are not kept, every step of that loop loads them again. For the
// ofmap, loading again means that partial sums are written at the accumulator's width and read
// back, except at the first tile of K. For the next band of a convolution's feature map (tiles.h),
// only the rows that the previous band lacks are loaded, if the previous band is still on chip:
// where the M loop is inside the K loop, K is one tile, or all tiles of K are kept.
//
// `count` products run one after the other. While the array processes the last tile of one product,
// the first tile of the next may be fetched (`ahead`), unless each product depends on the previous
// one. If a product is a single tile, several products may form one step (`tile.products`): they
// are loaded, processed and stored together.
//
// SRAM demand: two tiles of an operand with several tiles, one of an operand with a single tile,
// all tiles that are kept; the ofmap in accumulators. With `ahead`, an operand that is kept or has
// a single tile needs room for one tile more. Without `doubled`, one tile of every operand.
//
// Source: the word counts per loop order follow the literature on Timeloop and SCALE-Sim
// (docs/accelerator.md).
// Thread rule: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "accelerator/cost.h"
#include "accelerator/machine.h"
#include "accelerator/tiles.h"

namespace ridge::accelerator {

enum class Dimension : std::uint8_t { kM, kN, kK };
/// Loops, outermost first.
using LoopOrder = std::array<Dimension, 3>;
inline constexpr std::array kLoopOrders = {LoopOrder{Dimension::kM, Dimension::kN, Dimension::kK},
                                           LoopOrder{Dimension::kN, Dimension::kM, Dimension::kK},
                                           LoopOrder{Dimension::kM, Dimension::kK, Dimension::kN},
                                           LoopOrder{Dimension::kK, Dimension::kM, Dimension::kN},
                                           LoopOrder{Dimension::kN, Dimension::kK, Dimension::kM},
                                           LoopOrder{Dimension::kK, Dimension::kN, Dimension::kM}};
/// Returns the order as text, e.g. "n,k,m".
std::string_view name(const LoopOrder& order);

struct Mapping {
  Dataflow dataflow = Dataflow::kWeightStationary;
  Tile tile;
  LoopOrder order = kLoopOrders[0];
  bool keep_middle = false, keep_outer = false;
  bool ahead = false;  ///< fetch the first tile of the next product early; false for Gemm::in_turn
  /// Two tiles per operand, so that one is moved while the other is used; false: one, and no
  /// `ahead`
  bool doubled = true;
};

/// Tiles along one dimension.
inline const Cut& cut(const Tiles& t, Dimension d) {
  return d == Dimension::kM ? t.m() : d == Dimension::kN ? t.n() : t.k();
}

/// Per operand: true if each tile is loaded only once (ofmap: partial sums are never spilled).
struct Residence {
  Residence(const Tiles& tiles, const Mapping& how);

  bool ifmap, filter, ofmap;
  /// true: of a convolution's band only the rows that the previous band lacks are loaded
  bool bands;
};

/// Bytes of SRAM that a mapping needs per operand; the ofmap's are accumulators.
PerOperand<std::int64_t> sram_bytes(const Tiles& tiles, const Widths& widths, const Mapping& how);

/// SRAM overflow in bytes: of the sum for a shared memory, else of the operand that exceeds its
/// memory most; 0: the mapping fits.
std::int64_t sram_shortage(const PerOperand<std::int64_t>& needed, const Sram& sram);

/// DRAM traffic of all products; independent of the dataflow.
struct Movement {
  Traffic words;
  std::int64_t read_bytes = 0, write_bytes = 0;
};
Movement movement(const Tiles& tiles, const Widths& widths, const Mapping& how);

}  // namespace ridge::accelerator
