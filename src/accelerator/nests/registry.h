// SPDX-License-Identifier: Apache-2.0
// Loop nest of a layer according to the definition of its operator: convolutions with their
// windows, matrix products with their batches and zero points, attention with its softmax,
// recurrent layers with their steps.
//
//   if (const auto nest = layer_nest(resolved, layer.node, {})) TRY(count(nest->nest, hooks));
//
// Thread rule: pure function. Cost: O(rank). nullopt: no nest exists for the operator, or a size is
// unknown.
#pragma once

#include <optional>
#include <string_view>

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_nest.h"
#include "accelerator/nests/layer_profile.h"
#include "analysis/resolved.h"
#include "base/result.h"

namespace ridge::accelerator {

std::optional<LayerNest> layer_nest(const analysis::Resolved& resolved, graph::NodeId node,
                                    PaddingForm padding = PaddingForm::kBlock);

/// True if there is a nest for the operator.
bool has_layer_nest(std::string_view domain, std::string_view op);

/// Profiles of all layers of the model, from their nests; without a nest a layer has a `reason`.
Result<Profiles> profile_nests(const Lowered& lowered, const analysis::Resolved& resolved,
                               PaddingForm padding = PaddingForm::kBlock);

}  // namespace ridge::accelerator
