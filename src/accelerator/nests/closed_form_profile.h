// SPDX-License-Identifier: Apache-2.0
// Profiles of layers from shapes alone, as in `ridge analyze`: no loops are walked.
//
//   Profiles p = closed_form_profiles(lowered, resolved);
//   p.find(node)->param_bytes
//
// A layer's buffers are the tensors that cross its boundary, each once: the inputs it reads, its
// weights and constants, its outputs. Nothing else is allocated. If the size of one of them is
// unknown, the layer has a `reason` and no bytes.
// Thread rule: one thread per `resolved`. Cost: O(tensors of the layers).
#pragma once

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

Profiles closed_form_profiles(const Lowered& lowered, const analysis::Resolved& resolved);

}  // namespace ridge::accelerator
