// The sizes in force: what the user fixed, what the file fixes, and what is assumed where nobody
// said anything.
//
//   Sizes sizes = TRY(bind_sizes(model, bindings, defaults, dims));
//   sizes.dim("batch")        // an integer, a symbol (FreeSizes::kSymbolic) or unknown
//
// Rules: a name means the same number on every input; a free leading dimension of an input is 1
// (assumed, said in `notes`); any other free size is asked for. A dim_value below 0 counts as free,
// so do the names "?", "-1", "None" and "*", which exporters write for it. Errors (input class): a
// name or input that does not exist (near ones in the hint), a rank or a fixed dimension
// contradicted, one name given two values, a free size with the flag that sets it.
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

/// The name by which --bind knows a dimension that the file leaves open: its own, or "input[2]"
/// where it has none. "" for a dimension that the file fixes.
std::string free_size(const graph::Value& input, std::size_t axis);

struct Sizes {
  std::map<std::string, Binding, std::less<>>
      values;  ///< by name; an unnamed dimension is "input[2]"
  std::vector<ops::Type>
      inputs;  ///< of the main graph's inputs, in order; of one with a default value: nothing
  std::vector<std::string> notes;  ///< what was assumed
  FreeSizes free = FreeSizes::kAsk;

  /// The dimension that a name stands for; unknown where it is not bound.
  ops::Dim dim(std::string_view name, ops::DimPool& pool) const;
};

Result<Sizes> bind_sizes(const graph::Model& model, const Bindings& bindings,
                         const std::map<std::string, std::int64_t>& defaults, ops::DimPool& pool,
                         Arena& arena);

/// A type as the file declares it, with the sizes in force; what is not bound is unknown.
/// `declared` may be nullptr.
ops::Type declared_type(const onnx::TypeInfo* declared, const Sizes& sizes, ops::DimPool& pool,
                        Arena& arena);

}  // namespace ridge::analysis
