// Opening a file that a model names, without leaving the model's folder. Private to src/onnx.
//
// The path is resolved by the kernel below an open descriptor of the folder, never as a string, so
// nothing that changes in the file system meanwhile can lead out. Source: onnx/onnx
// docs/ExternalDataSecurity.md.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace ridge::onnx {

/// kAuto: openat2 where the kernel has it, else kByComponent: one openat per path component.
enum class Resolution { kAuto, kByComponent };

/// Opens `location` below `folder`: a regular file with one link, reached through no symbolic link.
/// `location` must have passed check_location().
Result<File> open_beneath(const std::string& folder, std::string_view location,
                          Resolution resolution = Resolution::kAuto);

}  // namespace ridge::onnx
