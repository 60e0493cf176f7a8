// Where a model comes from when a user names one: "zoo:NAME" is built, everything else is the path
// of a file.
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

/// `limits`: of a file. Errors: those of make() and of onnx::read_file().
Result<std::shared_ptr<onnx::Document>> open_model(std::string_view path_or_zoo,
                                                   const onnx::Limits& limits = {});

/// What the free sizes of "zoo:NAME" are where the user says nothing; empty for a file.
std::map<std::string, std::int64_t> default_sizes(std::string_view path_or_zoo);

}  // namespace ridge::zoo
