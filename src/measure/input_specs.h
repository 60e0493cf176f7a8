// SPDX-License-Identifier: Apache-2.0
// Inputs on which a model can run: type and shape from the resolved model, the elements that follow
// from an input's meaning (input_meaning.h), random integers within the range they index, or the
// user's arrays.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "base/result.h"
#include "runtime/inputs/inputs.h"
#include "runtime/load.h"

namespace ridge::measure {

/// Returns one spec per input of the copy, in its order, except for inputs that have a value in the
/// model and no file from the user. `files`: input name (of the original model) to the path of a
/// .npy or .pb. Errors: usage class for a name that is not an input; input class for an input whose
/// shape or type is unknown.
Result<std::vector<runtime::InputSpec>> input_specs(const analysis::Resolved& resolved,
                                                    const attribution::Canonical& copy,
                                                    const std::map<std::string, std::string>& files,
                                                    std::uint64_t seed);

/// Samples for the queries of a load: `count` sets of such inputs, each seeded with numbers of its
/// own. Inputs from files are the same in all of them. Errors: as input_specs and
/// runtime::Inputs.
Result<runtime::Samples> samples_of(const analysis::Resolved& resolved,
                                    const attribution::Canonical& copy,
                                    const std::map<std::string, std::string>& files,
                                    std::uint64_t seed, std::uint32_t count);

}  // namespace ridge::measure
