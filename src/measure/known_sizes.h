// SPDX-License-Identifier: Apache-2.0
// Sizes of a model derived without asking the user: from the arrays passed as inputs, and from an
// earlier run. The elements of small arrays go along, since shapes and trip counts may depend on
// them.
//
//   bindings = TRY(with_arrays(*model, {.sizes = {{"batch", {1}}}}, {{"image", "page.npy"}}));
//   bindings = with_run(*model, std::move(bindings), before);
//
// Cost: reads the header of a .npy, the elements of a small one, the whole of a .pb. Errors: those
// of runtime::array_shape; usage class: an array that is not an input of the model, or contradicts
// --bind, --shape or another array; input class: an array that contradicts the model's file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::measure {

/// Returns `given` with the shapes of the arrays added, and the elements of those with at most
/// ops::kMaxFolded. `files`: input name to the path of a .npy or .pb, or to elements
/// (runtime/inputs/literal.h).
Result<analysis::Bindings> with_arrays(const graph::Model& model, analysis::Bindings given,
                                       const std::map<std::string, std::string>& files);

/// Returns `given` with the sizes of an earlier run where it leaves the model's sizes free. Names
/// that the model does not have are dropped.
analysis::Bindings with_run(const graph::Model& model, analysis::Bindings given,
                            const profile::Profile& run);

/// Error for an --input name that is not an input; lists the inputs or suggests a similar name.
Error unknown_input(const std::string& name, const std::vector<std::string>& inputs);

}  // namespace ridge::measure
