// SPDX-License-Identifier: Apache-2.0
// Reader of the inputs and outputs of a model's manifest: parameters by the rows of parameters.h,
// beside the type or in a table `parameters`, and steps.
//
// Steps are a text, or a list of texts (step_spec.h) and of `name: {parameter: value}`.
// Thread rule: pure.
#pragma once

#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"
#include "manifest/parameters.h"

namespace ridge::manifest {

Result<std::vector<StepSpec>> read_step_list(const Toml& list);

Result<Tensor> read_tensor(const Toml& table, TensorRole role);

}  // namespace ridge::manifest
