// SPDX-License-Identifier: Apache-2.0
// Files with the external data of a model, for a registry (manifest/registry_add.h).
#pragma once

#include <string>
#include <vector>

#include "manifest/registry.h"

namespace ridge::evaluation {

/// Names as the model has them, relative to it. Errors: the reader's, and errors of a file that is
/// missing or lies where a model's data may not (onnx/weights.h).
Result<std::vector<manifest::RegistrySource>> external_files(const std::string& model);

}  // namespace ridge::evaluation
