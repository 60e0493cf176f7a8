// SPDX-License-Identifier: Apache-2.0
// Parts of spans, collected by row and run and reduced to one figure per row: the median over runs.
//
//   Pieces pieces;
//   pieces.add({row, run, start_ns, end_ns});
//   const std::vector<double> ns = pieces.fold(rows, runs, Fold::kCovered);
//
// A run without a piece of the row counts as 0. A row without any piece is NaN. Cost: one sort.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::trace {

struct Piece {
  std::uint32_t row = 0, run = 0;
  std::int64_t start_ns = 0, end_ns = 0;  ///< not before the start
};

enum class Fold : std::uint8_t {
  kSum,      ///< sum of the lengths
  kCovered,  ///< length of the union: overlaps count once
};

class Pieces {
 public:
  void add(const Piece& piece) { pieces_.push_back(piece); }
  void add(const Pieces& other) {
    pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
  }
  bool empty() const { return pieces_.empty(); }
  std::vector<double> fold(std::size_t rows, std::size_t runs, Fold fold);

 private:
  std::vector<Piece> pieces_;
};

}  // namespace ridge::trace
