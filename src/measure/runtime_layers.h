// The optimised graph out of what a runtime says of itself: a dump, or a list of its layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attribution/optimised.h"
#include "measure/collect.h"
#include "runtime/runtime.h"

namespace ridge::measure {

/// Errors: those of attribution::read_optimised and make_listed.
Result<attribution::OptimisedGraph> optimised_of(const runtime::RuntimeGraph& graph);

/// OpenVINO's layouts in the words of profile::Layer: "abcd" -> "plain", "acdb" -> "channels_last",
/// "aBcd16b" -> "blocked:16". Others as they are.
std::string layout_word(std::string_view layout);

/// By kernel of the graph: some run of it took time that could be told.
std::vector<bool> timed(const Collected& collected, const std::vector<graph::NodeId>& kernels,
                        const attribution::OptimisedGraph& graph);

}  // namespace ridge::measure
