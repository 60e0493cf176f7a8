// Inputs that a model can run on: the type and shape that the resolved model says, integers inside
// the table they index, or the user's arrays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "base/result.h"
#include "runtime/inputs.h"

namespace ridge::measure {

/// One spec per input of the copy, in its order; none for an input that the model has a value for
/// and the user no file. `files`: input name (of the original model) to
/// the path of a .npy or .pb.
/// Errors: usage class for a name that is no input; input class for an input whose shape or type is
/// not known.
Result<std::vector<runtime::InputSpec>> input_specs(const analysis::Resolved& resolved,
                                                    const attribution::Canonical& copy,
                                                    const std::map<std::string, std::string>& files,
                                                    std::uint64_t seed);

/// The exclusive upper bound of the values of an integer `value`: the least size among the axes
/// that it indexes (Gather, GatherElements, ScatterElements, OneHot's depth), seen through Cast,
/// Identity, Reshape, Squeeze, Unsqueeze, Flatten, Transpose. nullopt where it indexes nothing.
std::optional<std::int64_t> index_bound(const analysis::Resolved& resolved, graph::ValueId value);

}  // namespace ridge::measure
