// SPDX-License-Identifier: Apache-2.0
// Opens a model by name: "zoo:NAME" is built, everything else is a file path.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"
#include "onnx/reader.h"

namespace ridge::zoo {

/// `limits`: for files. Errors: as make() and onnx::read_file().
Result<std::shared_ptr<onnx::Document>> open_model(std::string_view path_or_zoo,
                                                   const onnx::Limits& limits = {});

/// Default sizes of "zoo:NAME" for free sizes that the user does not bind; empty for a file.
std::map<std::string, std::int64_t> default_sizes(std::string_view path_or_zoo);

}  // namespace ridge::zoo
