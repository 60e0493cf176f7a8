// SPDX-License-Identifier: Apache-2.0
// Whether the parameters of an image input and the steps of its code say the same.
//
//   steps = TRY(agreed(std::move(steps), input, prefer));
//
// Compared are color_mode, layout, dimensions, mean, scale and element_type, as far as both state
// them. With Prefer::kParameters the steps take the values of the parameters. Thread rule: pure.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

/// Choice where code and parameters contradict each other.
enum class Prefer : std::uint8_t { kNeither, kCode, kParameters };

Result<std::vector<StepSpec>> agreed(std::vector<StepSpec> steps, const Tensor& input,
                                     Prefer prefer);

}  // namespace ridge::manifest
