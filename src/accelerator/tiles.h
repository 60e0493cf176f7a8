// SPDX-License-Identifier: Apache-2.0
// Cuts a product into tiles and counts the elements in each tile of its operands.
//
//   const Tiles t(gemm, {3136, 64, 64});
//   t.ifmap(i, j)   // elements of the ifmap that tile i of M and tile j of K need
//
// The last tile of a dimension may be smaller. A tile of a plain matrix has rows x columns
// elements. A tile of a convolution's feature map is a band: the complete rows under the filter,
// halo included, padding excluded. It is a band where the tile of M is whole rows of outputs, the
// tile of K is whole channels, and the band has fewer elements than the M x K tile (with a stride
// larger than the filter it may have more). Otherwise the tile is read element by element, in
// im2col form. Consecutive bands share rows; `added` counts what a band needs beyond the band
// before it.
// Thread rule: const after construction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerator/cost.h"
#include "accelerator/gemm.h"
#include "base/checked.h"

namespace ridge::accelerator {

/// One dimension, cut into tiles.
struct Cut {
  std::int64_t length = 1, tile = 1;

  std::int64_t count() const { return ceil_div(length, tile); }
  std::int64_t size(std::int64_t i) const { return std::min(tile, length - i * tile); }
};

/// Rows of a feature map and their sizes, from which bands are made.
struct BandShape {
  WindowAxis axis;               ///< axis that the rows are counted along
  std::int64_t images = 1;       ///< images, each with axis.out rows of outputs
  std::int64_t outputs = 1;      ///< outputs (rows of M) per row of outputs
  std::int64_t elements = 1;     ///< elements per row of the feature map and channel
  std::int64_t filter_area = 1;  ///< kernel positions: elements of K per channel

  std::int64_t output_rows() const { return images * axis.out; }
  /// Rows of the feature map under output rows [first, last).
  std::int64_t rows_under(std::int64_t first, std::int64_t last) const;
  /// Number of these rows that output rows before `first` need too.
  std::int64_t rows_shared(std::int64_t first, std::int64_t last) const;
};
BandShape band_shape(const Window& window);

class Tiles {
 public:
  /// Requires each size of `tile` to be between 1 and the size of its dimension.
  Tiles(const Gemm& gemm, const Tile& tile);

  /// Replaces the tile size along N; the rest does not depend on it.
  void cut_n(std::int64_t tile) { n_.tile = tile; }

  /// Number of products of this shape, all cut alike.
  std::int64_t products() const { return products_; }
  /// True if a product is a single tile.
  bool whole() const { return m_.count() * n_.count() * k_.count() == 1; }
  const Cut& m() const { return m_; }
  const Cut& n() const { return n_; }
  const Cut& k() const { return k_; }

  std::int64_t ifmap(std::int64_t i, std::int64_t j) const { return elements(i, j, &Rows::all); }
  /// Elements that tile i needs beyond tile i - 1, both at tile `j` of K.
  std::int64_t ifmap_added(std::int64_t i, std::int64_t j) const {
    return elements(i, j, &Rows::added);
  }
  /// Elements of all tiles, each counted alone or (`added`) beyond the tile before it; and of the
  /// largest tile.
  std::int64_t ifmap_sum() const { return ifmap_sum_; }
  std::int64_t ifmap_added_sum() const { return ifmap_added_sum_; }
  std::int64_t ifmap_most() const { return ifmap_most_; }
  /// Distinct elements that all tiles of M together need at tile `j` of K.
  std::int64_t ifmap_column(std::int64_t j) const { return column(j, &Rows::added); }
  /// True if the ifmap tiles at tile `i` of M have and add as many elements as those at tile i - 1.
  bool like_before(std::int64_t i) const {
    return m_.size(i) == m_.size(i - 1) &&
           (rows_.empty() ||
            rows_[static_cast<std::size_t>(i)] == rows_[static_cast<std::size_t>(i - 1)]);
  }
  bool in_bands() const { return !rows_.empty(); }

 private:
  /// Rows of the feature map in a band (`all`), and those that the previous band lacks (`added`).
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
  std::vector<Rows> rows_;  ///< indexed by tile of M; empty: no bands
  std::int64_t ifmap_sum_ = 0, ifmap_added_sum_ = 0, ifmap_most_ = 0;
};

}  // namespace ridge::accelerator
