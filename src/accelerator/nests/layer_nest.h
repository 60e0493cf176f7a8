// Loop nest of a layer according to the definition of its operator: convolutions with their
// windows, matrix products with their batches and zero points, attention with its softmax,
// recurrent layers with their steps.
//
//   if (const auto nest = layer_nest(resolved, layer.node, {})) TRY(count(nest->nest, hooks));
//
// Buffers are the node's tensors with their own shapes and element types. An operator that
// accumulates in another type, or in a form that is summed later, has an additional buffer for
// that. Every block belongs to the node, so that the nest reports the same figures as a compiler's.
// Thread rule: pure function. Cost: O(rank). nullopt: no nest exists for the operator, or a size is
// unknown.
#pragma once

#include <optional>
#include <vector>

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/nests/profile.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

/// Implementation of a convolution's padding.
enum class PaddingForm : std::uint8_t {
  kBlock,      ///< a block copies the input into a padded buffer, as compilers do
  kCondition,  ///< the load is conditional, nothing is copied
};

struct LayerNest {
  Nest nest;
  std::vector<NestParameter> parameters;
  std::int64_t repeat = 1;  ///< executions of the body that contains the node
};

std::optional<LayerNest> layer_nest(const analysis::Resolved& resolved, graph::NodeId node,
                                    PaddingForm padding = PaddingForm::kBlock);

/// True if there is a nest for the operator.
bool has_layer_nest(std::string_view domain, std::string_view op);

/// Profiles of all layers of the model, from their nests; without a nest a layer has a `reason`.
Result<Profiles> profile_nests(const Lowered& lowered, const analysis::Resolved& resolved,
                               PaddingForm padding = PaddingForm::kBlock);

}  // namespace ridge::accelerator
