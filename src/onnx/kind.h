// What a file that is no ONNX model is: told by its first bytes. Private to src/onnx.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::onnx {

/// Bytes of the file's beginning that foreign_format() wants to see, where there are so many.
inline constexpr std::size_t kHeadBytes = 512;

struct ForeignFormat {
  std::string_view name;    ///< "a gzip archive"
  std::string_view advice;  ///< the next step
};

/// nullptr where nothing speaks against an ONNX model.
const ForeignFormat* foreign_format(std::string_view head);

/// "text" where there is nothing else, else nullptr. A model may begin so: it is for those that
/// could not be read.
const ForeignFormat* plain_text(std::string_view head);

}  // namespace ridge::onnx
