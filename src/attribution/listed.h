// SPDX-License-Identifier: Apache-2.0
// The graph that a runtime executes, constructed from a list of its layers instead of a dump.
//
//   OptimizedGraph graph = TRY(make_listed(layers, tensors, inputs));
//
// For each layer such a runtime reports, as far as it knows, which of the model's tensors it
// produces or contributes to; names of the tensors between layers carry no information. Ownership:
// the result contains copies. Errors (input class): as graph::Model::build.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attribution/optimized.h"
#include "base/result.h"
#include "onnx/data_type.h"

namespace ridge::attribution {

struct ListedLayer {
  std::string name, type;
  Listing listing;
  std::vector<std::string> inputs, outputs;
};

/// A tensor between layers. -1 in dims: unknown.
struct ListedTensor {
  std::string name;
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

/// Constructs the graph. `layers`: in order of execution; `inputs`: names of the model's inputs. A
/// tensor that no layer produces and that is not an input is a constant.
Result<OptimizedGraph> make_listed(std::span<const ListedLayer> layers,
                                   std::span<const ListedTensor> tensors,
                                   std::span<const std::string> inputs);

}  // namespace ridge::attribution
