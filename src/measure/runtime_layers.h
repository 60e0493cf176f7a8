// SPDX-License-Identifier: Apache-2.0
// Builds the optimized graph from a runtime's own data: a dump, or a list of its layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attribution/optimized.h"
#include "measure/collect.h"
#include "runtime/types.h"

namespace ridge::measure {

/// The list of layers, of a runtime with RIDGE_HAS_LAYERS (empty if it computes the whole model at
/// load time); otherwise the dump. Errors: as attribution::read_optimized and make_listed.
Result<attribution::OptimizedGraph> optimized_of(const runtime::RuntimeGraph& graph,
                                                 const runtime::RuntimeInfo& info);

/// Translates OpenVINO's layouts to the terms of profile::Layer: "abcd" -> "plain", "acdb" ->
/// "channels_last", "aBcd16b" -> "blocked:16". Others are returned unchanged.
std::string layout_word(std::string_view layout);

/// By kernel of the graph: true if some execution of it had a measurable duration.
std::vector<bool> timed(const Collected& collected, const std::vector<graph::NodeId>& kernels,
                        const attribution::OptimizedGraph& graph);

}  // namespace ridge::measure
