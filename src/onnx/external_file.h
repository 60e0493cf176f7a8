// SPDX-License-Identifier: Apache-2.0
// Opens a file named by a model, confined to the model's folder. Private to src/onnx.
//
// As in ONNX Runtime 1.32 the file must lie below the folder of the model's path or below the
// folder of the model itself, if that path is a link: a download cache (Hugging Face) has both the
// model and its data as links to files of another folder. A file may have several hard links (uv,
// DVC, pnpm).
//
// The kernel resolves the path relative to an open descriptor of the folder, and where a link leads
// is asked of the opened file, so concurrent changes of the file system cannot lead outside.
// Source: onnx/onnx docs/ExternalDataSecurity.md.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace ridge::onnx {

/// Path resolution method. kAuto: openat2 if the kernel supports it, else kByComponent, which calls
/// openat per path component.
enum class Resolution { kAuto, kByComponent };

/// Opens `location`, a regular file, relative to `folder`. `model`: the open model, or nullptr.
/// `location` must have passed check_location().
Result<File> open_beneath(const std::string& folder, std::string_view location, const File* model,
                          Resolution resolution = Resolution::kAuto);

}  // namespace ridge::onnx
