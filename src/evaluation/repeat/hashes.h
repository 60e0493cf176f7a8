// SPDX-License-Identifier: Apache-2.0
// Hashes of a model (evaluation/repeat/lock.h states over which bytes) and of given inputs, and the
// watch of hashes.
#pragma once

#include <string>

#include "base/result.h"
#include "base/whole_file.h"
#include "onnx/document.h"
#include "session/environment.h"

namespace ridge::evaluation {

Result<std::string> model_sha256(const onnx::Document& document, const HashWatch& watch = {});

/// SHA-256 of what an input is given: of a file, or of elements that are written out.
Result<std::string> input_sha256(const std::string& source, const HashWatch& watch = {});

/// Shows how far a large file is, and ends when the user asks for it. Borrows the environment.
HashWatch hash_watch(const session::Environment& environment);

}  // namespace ridge::evaluation
