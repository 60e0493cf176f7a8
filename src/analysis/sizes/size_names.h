// SPDX-License-Identifier: Apache-2.0
// Names that set the free sizes of a model's inputs. A dimension has a plain name ("sequence"), or
// an expression of names ("past_sequence_length + sequence_length"), each of which can be set.
//
//   const SizeNames names(model);
//   names.of("past + sequence");      // {"past", "sequence"}
//   names.contains("past");           // true, even if no dimension is just "past"
//
// Ownership: copies names. Thread rule: immutable once made. Cost: O(dimensions of inputs).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sizes/size_parser.h"
#include "graph/model.h"

namespace ridge::analysis {

class SizeNames {
 public:
  explicit SizeNames(const graph::Model& model);

  /// The expression that the name of a dimension is; nullopt for a plain name.
  std::optional<SizeExpression> expression(std::string_view dimension) const;
  /// The name itself, or the names in its expression.
  std::vector<std::string> of(std::string_view dimension) const;
  /// True for a name or an expression that stands in the shape of an input, and for every name in
  /// such an expression.
  bool contains(std::string_view name) const { return all_.contains(name); }
  const std::set<std::string, std::less<>>& all() const { return all_; }
  /// The dimension's own text for an expression that another text writes ("a+b" for "a + b").
  std::string spelled(std::string_view text) const;

 private:
  std::set<std::string, std::less<>> dimensions_;  // of inputs, as the file writes them
  std::set<std::string, std::less<>> all_;
};

/// Name of an input's axis: the file's, or "input[2]" where it has none; "" for one that the file
/// fixes.
std::string size_name(const graph::Value& input, std::size_t axis);
/// True for the names that exporters write for "unknown" where onnx.proto requires the empty name.
bool names_nothing(std::string_view dimension);

/// Names of the sizes of an input's axis as --bind takes them: one, or all in its expression; empty
/// if the file fixes the axis.
std::vector<std::string> names_of_axis(const SizeNames& names, const graph::Value& input,
                                       std::size_t axis);

}  // namespace ridge::analysis
