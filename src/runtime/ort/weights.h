// SPDX-License-Identifier: Apache-2.0
// Weights that a session of ONNX Runtime is given in memory.
//
// Ownership: the values refer to the caller's elements. Thread rule: pure.
#pragma once

#include <vector>

#include "runtime/abi.h"
#include "runtime/ort/handles.h"

namespace ridge::ort {

using Values = std::vector<Handle<OrtValue>>;

/// Adds weights that ONNX Runtime copies, unless it packs them; the values must live until the
/// session is created. (Weights for which the model names a file are mapped, and unmapped once
/// packed.)
Result<Values> add_copied_weights(const Library& library, const OrtMemoryInfo* memory,
                                  OrtSessionOptions* options, const RidgeTensors& weights);

/// Adds weights that it uses where they are; the values and the elements must outlive the session.
/// The model may not be optimized: constants that are folded are read from their files.
Result<Values> add_weights_in_place(const Library& library, const OrtMemoryInfo* memory,
                                    OrtSessionOptions* options, const RidgeTensors& weights);

}  // namespace ridge::ort
