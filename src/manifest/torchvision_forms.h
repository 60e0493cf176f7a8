// SPDX-License-Identifier: Apache-2.0
// torchvision.transforms over Pillow as steps: Resize, CenterCrop, ToTensor, Normalize. Sources of
// the arithmetic: torchvision 0.x, transforms/functional.py (resize: the long side is
// int(size * long / short); center_crop: int(round((height - size) / 2.0)); to_tensor: float32
// division by 255; normalize: float32). Thread rule: pure.
#pragma once

#include "base/result.h"
#include "manifest/code_program.h"
#include "manifest/step_spec.h"

namespace ridge::manifest {

/// True if the code composes transforms.
bool is_torchvision(const CodeProgram& program);

/// Steps of a program with `name = transforms.Compose([...])` and the function `entry`.
Result<std::vector<StepSpec>> torchvision_steps(const CodeProgram& program,
                                                const CodeFunction& entry);

}  // namespace ridge::manifest
