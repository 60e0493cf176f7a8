// Opens a file named by a model, confined to the model's folder. Private to src/onnx.
//
// The kernel resolves the path relative to an open descriptor of the folder, never as a string, so
// concurrent changes of the file system cannot lead outside. Source: onnx/onnx
// docs/ExternalDataSecurity.md.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace ridge::onnx {

/// Path resolution method. kAuto: openat2 if the kernel supports it, else kByComponent, which calls
/// openat per path component.
enum class Resolution { kAuto, kByComponent };

/// Opens `location` below `folder`: a regular file with one hard link, reached without symbolic
/// links. `location` must have passed check_location().
Result<File> open_beneath(const std::string& folder, std::string_view location,
                          Resolution resolution = Resolution::kAuto);

}  // namespace ridge::onnx
