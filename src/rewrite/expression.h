// SPDX-License-Identifier: Apache-2.0
// Operators written as text, to find them in a model and to put others in their place.
//
//   const Expression written = Expression::parse("Div(x, Add(1, Exp(Neg(x))))");
//   const Expression better = Expression::parse("Mul(x, Sigmoid(x))");
//   if (std::optional<Match> m = match(written, resolved, root)) replace(*m, better, draft);
//
// A capitalized name is an operator of ai.onnx, a number a constant of one element, and `x` the
// tensor that all is computed from, which may be read several times. The operands of Add, Mul, Max
// and Min may have any order. Numbers agree if they differ by at most one part in a million.
//
// A match does not change what the rest of the model reads: nothing but the match reads its inner
// results, and the result has shape and type of x, so that constants broadcast nothing.
//
// Thread rule: pure. Cost of a match: O(2^n) for n nested ones of these, which a table keeps small.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "rewrite/draft.h"

namespace ridge::rewrite {

struct Expression {
  std::string op_type;  ///< "" for x and for a number
  std::optional<double> number;
  std::vector<Expression> operands;

  /// `text` is part of the program: malformed text fails an assertion.
  static Expression parse(std::string_view text);
};

struct Match {
  graph::ValueId x = graph::kNone;
  std::vector<graph::NodeId> nodes;  ///< ascending
  graph::NodeId root = graph::kNone;
};

/// The match whose last node is `root`, a node of the main graph.
std::optional<Match> match(const Expression& written, const analysis::Resolved& resolved,
                           graph::NodeId root);

/// Replaces the nodes of a match.
void replace(const Match& match, const Expression& by, Draft& draft);

}  // namespace ridge::rewrite
