// Sizes of a model that need not be asked for: those of the arrays that it is given as inputs, and
// those that a run of it had.
//
//   bindings = TRY(with_arrays(*model, {.sizes = {{"batch", {1}}}}, {{"image", "page.npy"}}));
//   bindings = with_run(*model, std::move(bindings), before);
//
// Cost: the header of a .npy, the whole of a .pb. Errors: those of runtime::array_shape; usage
// class: an array that is no input of the model, that contradicts --bind, --shape or another array;
// input class: one that contradicts the model's file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::measure {

/// `given` with the shapes of the arrays that inputs are given. `files`: input name to
/// the path of a .npy or .pb.
Result<analysis::Bindings> with_arrays(const graph::Model& model, analysis::Bindings given,
                                       const std::map<std::string, std::string>& files);

/// `given` with the sizes of a run where it leaves the model's open. Names that the model does not
/// have are left out.
analysis::Bindings with_run(const graph::Model& model, analysis::Bindings given,
                            const profile::Profile& run);

/// --input names what is no input: those there are, or the near one.
Error unknown_input(const std::string& name, const std::vector<std::string>& inputs);

}  // namespace ridge::measure
