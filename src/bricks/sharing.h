// SPDX-License-Identifier: Apache-2.0
// Repetition of pieces inside the models of a plan, and bricks that models share.
//
//   const Sharing sharing = sharing_of(plan);
//   sharing.models[m].known.pieces          // whose brick a model before it has
//   sharing.common(row, column).pieces      // of the row's model, whose brick the column's has too
//
// In the order of the plan, each piece of a model is one of
//
//   known     its brick stands for a piece of a model before this one
//   fresh     the first piece of a brick that no model before this one has
//   repeated  a further piece of such a brick
//
//   models a = [x y y] and b = [y z z z], letters are bricks
//     a: fresh x y, repeated y       b: known y, fresh z, repeated z z
//     common(a, b) = 2 of 3 pieces   common(b, a) = 1 of 4 pieces
//
// A piece has the MACs of its brick. They are doubles, exact below 2^53, so that sums of any
// manifest are defined. Thread rule: plain data, pure functions. Cost: O(occurrences * models that
// share the brick).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bricks/plan.h"

namespace ridge::bricks {

struct Amount {
  std::int64_t pieces = 0;
  double macs = 0;

  Amount& operator+=(const Amount& other) {
    pieces += other.pieces;
    macs += other.macs;
    return *this;
  }
  friend Amount operator+(Amount a, const Amount& b) { return a += b; }
};

/// Pieces of a model whose brick another model has too.
struct Common {
  std::size_t with = 0;  ///< position of the other model
  Amount amount;
};

struct ModelSharing {
  Amount known, repeated, fresh;
  std::uint32_t unique = 0, added = 0;  ///< different bricks; those that no model before it has
  std::size_t nodes_left_over = 0;
  std::vector<Common> commons;  ///< ascending by `with`; models without a common brick are absent

  Amount pieces() const { return known + repeated + fresh; }
};

struct Sharing {
  std::vector<ModelSharing> models;  ///< in the order of the plan
  Amount pieces;                     ///< sum over the models
  Amount bricks;                     ///< each brick once

  /// Pieces of the model `row` whose brick the model `column` has too.
  Amount common(std::size_t row, std::size_t column) const;
};

Sharing sharing_of(const Plan& plan);

/// Limit of models in family_order().
inline constexpr std::size_t kMaxOrdered = 256;

/// Positions of the models in an order in which similar ones are neighbors.
///
///   similarity of a and b = (common(a, b) + common(b, a)) / (pieces of a + pieces of b)
///
/// Clusters of models are joined by average linkage, the most similar first (UPGMA; Sokal and
/// Michener 1958, University of Kansas Science Bulletin 38:1409). A cluster is turned around where
/// that makes the two models that meet more similar (Gruvaeus and Wainer 1972, British Journal of
/// Mathematical and Statistical Psychology 25:200). Of equal similarities the first in the order of
/// the plan counts, so models that share nothing keep that order. More than kMaxOrdered models
/// keep it as well. Cost: O(models^3).
std::vector<std::size_t> family_order(const Sharing& sharing);

}  // namespace ridge::bricks
