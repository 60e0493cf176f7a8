// SPDX-License-Identifier: Apache-2.0
// Concrete sizes of the free dimensions of a model's inputs: set by the user, fixed by the file, or
// assumed by default.
//
//   Sizes sizes = TRY(bind_sizes(model, bindings, defaults, dims, arena));
//   sizes.dim("batch", dims)  // an integer, a symbol (FreeSizes::kSymbolic) or unknown
//
// Rules: a name has the same value on every input; a free leading dimension of an input defaults to
// 1 (recorded in `notes`); any other free size is an error under FreeSizes::kAsk. A dim_value below
// 0 counts as free, and so do the names "?", "-1", "None" and "*", which exporters write for an
// unknown size. Errors (input class): an unknown name or input (the hint suggests similar ones), a
// rank or fixed dimension that contradicts the file, one name with two values, a free size (the
// hint lists the flags that set it).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "graph/model.h"
#include "ops/type.h"

namespace ridge::analysis {

/// Name under which --bind sets a dimension that the file leaves free: the dimension's own name, or
/// "input[2]" where it has none. "" for a dimension that the file fixes.
std::string free_size(const graph::Value& input, std::size_t axis);

/// Names of the dimensions of an axis that the inputs leave free: for most models their batch on
/// axis 0, of texts their length on axis 1.
std::vector<std::string> free_sizes(const graph::Model& model, std::size_t axis);

struct Sizes {
  /// By name; an unnamed dimension is "input[2]".
  std::map<std::string, Binding, std::less<>> values;
  /// Types of the main graph's inputs, in order; an input with a default value has an empty type.
  std::vector<ops::Type> inputs;
  std::vector<std::string> notes;  ///< assumptions made, as messages for the user
  FreeSizes free = FreeSizes::kAsk;

  /// Dimension with the name `name`; unknown if the name is not bound.
  ops::Dim dim(std::string_view name, ops::DimPool& pool) const;
};

Result<Sizes> bind_sizes(const graph::Model& model, const Bindings& bindings,
                         const std::map<std::string, std::int64_t>& defaults, ops::DimPool& pool,
                         Arena& arena);

/// Converts a declared type, with the bound sizes filled in; unbound dimensions are unknown.
/// `declared` may be nullptr.
ops::Type declared_type(const onnx::TypeInfo* declared, const Sizes& sizes, ops::DimPool& pool,
                        Arena& arena);

}  // namespace ridge::analysis
