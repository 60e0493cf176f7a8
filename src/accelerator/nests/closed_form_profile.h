// Profiles of layers from shapes alone: what `ridge analyze` knows, no loops walked.
//
//   Profiles p = closed_form_profiles(lowered, resolved);
//   p.find(node)->param_bytes
//
// A layer's buffers are the tensors that cross its boundary, each once: what it reads from before,
// its weights and constants, what it hands on. Nothing else is allocated. A layer of which a tensor
// has no known size says so and tells no bytes.
// Thread rule: one thread per `resolved`. Cost: O(tensors of the layers).
#pragma once

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

Profiles closed_form_profiles(const Lowered& lowered, const analysis::Resolved& resolved);

}  // namespace ridge::accelerator
