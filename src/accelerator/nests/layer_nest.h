// The loop nest of a layer, as the definition of its operator reads: convolutions with their
// windows, products of matrices with their batches and zero points, attention with its softmax,
// recurrent layers with their steps.
//
//   if (const auto nest = layer_nest(resolved, layer.node, {})) TRY(count(nest->nest, hooks));
//
// Buffers are the node's tensors in their own shapes and element types; an operator that
// accumulates in another type, or in a form that is added up afterwards, has a buffer for that.
// Every block works for the node, so that the nest tells the same as a compiler's.
// Thread rule: pure function. Cost: O(rank). nullopt: no nest is written for the operator, or a
// size is not known.
#pragma once

#include <optional>
#include <vector>

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"
#include "accelerator/nests/profile.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

/// How a convolution reads over the edge of its input.
enum class PaddingForm : std::uint8_t {
  kBlock,      ///< a block copies the input into a padded buffer, as compilers do
  kCondition,  ///< the load stands under a condition, nothing is copied
};

struct LayerNest {
  Nest nest;
  std::vector<NestParameter> parameters;
  std::int64_t repeat = 1;  ///< executions of the body that the node stands in
};

std::optional<LayerNest> layer_nest(const analysis::Resolved& resolved, graph::NodeId node,
                                    PaddingForm padding = PaddingForm::kBlock);

/// Whether there is one for an operator.
bool has_layer_nest(std::string_view domain, std::string_view op);

/// Of every layer with multiply-accumulates, from its nest.
Result<Profiles> profile_nests(const Lowered& lowered, const analysis::Resolved& resolved,
                               PaddingForm padding = PaddingForm::kBlock);

}  // namespace ridge::accelerator
