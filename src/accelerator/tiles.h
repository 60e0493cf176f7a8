// How a product is cut into tiles, and what each tile of its operands holds.
//
//   const Tiles t(gemm, {3136, 64, 64});
//   t.ifmap(i, j)   // elements of the ifmap that tile i of M and tile j of K need
//
// The last tile of a dimension holds what is left. A tile of a matrix is as large as it looks. Of a
// convolution's feature map it is a band: the rows under the filter, whole, halo included, padding
// not; where the tile of M is whole rows of outputs and the tile of K whole channels, and where
// that is less than the tile's M x K elements (with a stride over the filter it is not). Else the
// tile is read element by element, as im2col would write it. A band needs some of the rows of the
// band before it; `added` is what it needs beside those.
// Thread rule: const after construction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerator/cost.h"
#include "accelerator/gemm.h"
#include "base/checked.h"

namespace ridge::accelerator {

/// One dimension in tiles.
struct Cut {
  std::int64_t length = 1, tile = 1;

  std::int64_t count() const { return ceil_div(length, tile); }
  std::int64_t size(std::int64_t i) const { return std::min(tile, length - i * tile); }
};

/// The rows of a feature map and what lies in one: what bands are made of.
struct BandShape {
  WindowAxis axis;               ///< that the rows are along
  std::int64_t images = 1;       ///< each with axis.out rows of outputs
  std::int64_t outputs = 1;      ///< in a row of outputs: of M
  std::int64_t elements = 1;     ///< in a row of the feature map and one channel
  std::int64_t filter_area = 1;  ///< kernel positions: elements of K per channel

  std::int64_t output_rows() const { return images * axis.out; }
  /// Rows of the feature map under output rows [first, last).
  std::int64_t rows_under(std::int64_t first, std::int64_t last) const;
  /// Of those, the ones that are under output rows before `first` too.
  std::int64_t rows_shared(std::int64_t first, std::int64_t last) const;
};
BandShape band_shape(const Window& window);

class Tiles {
 public:
  /// Each of `tile` between 1 and the size of its dimension.
  Tiles(const Gemm& gemm, const Tile& tile);

  /// The tile of N in place of the one it was made with; the rest does not depend on it.
  void cut_n(std::int64_t tile) { n_.tile = tile; }

  /// Products of this shape, each of them cut alike.
  std::int64_t products() const { return products_; }
  /// Whether a product is a single tile.
  bool whole() const { return m_.count() * n_.count() * k_.count() == 1; }
  const Cut& m() const { return m_; }
  const Cut& n() const { return n_; }
  const Cut& k() const { return k_; }

  std::int64_t ifmap(std::int64_t i, std::int64_t j) const { return elements(i, j, &Rows::all); }
  /// What tile i adds to tile i - 1, both at tile `j` of K.
  std::int64_t ifmap_added(std::int64_t i, std::int64_t j) const {
    return elements(i, j, &Rows::added);
  }
  /// Of all tiles together, each by itself or after the one before; and of the largest one.
  std::int64_t ifmap_sum() const { return ifmap_sum_; }
  std::int64_t ifmap_added_sum() const { return ifmap_added_sum_; }
  std::int64_t ifmap_most() const { return ifmap_most_; }
  /// What all tiles of M together need at tile `j` of K.
  std::int64_t ifmap_column(std::int64_t j) const { return column(j, &Rows::added); }
  /// Tile `i` of M is like tile i - 1 in what its ifmap tiles hold and add.
  bool like_before(std::int64_t i) const {
    return m_.size(i) == m_.size(i - 1) &&
           (rows_.empty() ||
            rows_[static_cast<std::size_t>(i)] == rows_[static_cast<std::size_t>(i - 1)]);
  }
  bool in_bands() const { return !rows_.empty(); }

 private:
  /// Rows of the feature map in a band, and those that the band before has not.
  struct Rows {
    std::int64_t all = 0, added = 0;

    bool operator==(const Rows&) const = default;
  };
  std::int64_t elements(std::int64_t i, std::int64_t j, std::int64_t Rows::*rows) const {
    const std::int64_t matrix = m_.size(i) * k_.size(j);
    if (rows_.empty()) return matrix;
    const std::int64_t per_row = row_elements_ * (k_.size(j) / area_);
    return std::min(matrix, rows_[static_cast<std::size_t>(i)].*rows * per_row);
  }
  std::int64_t column(std::int64_t j, std::int64_t Rows::*rows) const;
  std::int64_t sum(std::int64_t Rows::*rows) const;

  Cut m_, n_, k_;
  std::int64_t products_ = 1;
  std::int64_t row_elements_ = 0, area_ = 1;
  std::vector<Rows> rows_;  ///< by tile of M; empty: no bands
  std::int64_t ifmap_sum_ = 0, ifmap_added_sum_ = 0, ifmap_most_ = 0;
};

}  // namespace ridge::accelerator
