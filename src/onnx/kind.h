// SPDX-License-Identifier: Apache-2.0
// Detects the format of a file that is not an ONNX model from its first bytes. Private to src/onnx.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::onnx {

/// Number of leading bytes that foreign_format() inspects, if available.
inline constexpr std::size_t kHeadBytes = 512;

struct ForeignFormat {
  std::string_view name;    ///< such as "a gzip archive"
  std::string_view advice;  ///< suggestion for the user
};

/// Returns the detected format; nullptr if the file may be an ONNX model.
const ForeignFormat* foreign_format(std::string_view head);

/// True for the text file that stands for a file kept by Git LFS until it is fetched.
bool is_lfs_pointer(std::string_view head);

/// Returns the format "text" if all bytes are printable, else nullptr. A valid model may begin like
/// that, so use it only after reading failed.
const ForeignFormat* plain_text(std::string_view head);

}  // namespace ridge::onnx
