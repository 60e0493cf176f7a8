// The graph that a runtime executes, from a list of its layers instead of a dump.
//
//   OptimisedGraph graph = TRY(make_listed(layers, tensors, inputs));
//
// Such a runtime says for each layer which of the model's tensors its parts make, or lead to, as
// far as it knows; names of the tensors between layers mean nothing. Ownership: the result holds
// copies. Errors (input class): those of graph::Model::build.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attribution/optimised.h"
#include "base/result.h"
#include "onnx/data_type.h"

namespace ridge::attribution {

struct ListedLayer {
  std::string name, type;
  Listing listing;
  std::vector<std::string> inputs, outputs;
};

/// -1 in dims: not known.
struct ListedTensor {
  std::string name;
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

/// `layers` in order of execution; `inputs`: of the model. What no layer makes and is no input is a
/// constant.
Result<OptimisedGraph> make_listed(std::span<const ListedLayer> layers,
                                   std::span<const ListedTensor> tensors,
                                   std::span<const std::string> inputs);

}  // namespace ridge::attribution
