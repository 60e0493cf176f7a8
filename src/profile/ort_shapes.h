// SPDX-License-Identifier: Apache-2.0
// Types and sizes of tensors as ONNX Runtime prints them in its events.
//
//   ort_tensors("[{\"float\":[1,64]},{\"int64\": []}]")   // {"float", {1, 64}}, {"int64", {}}
//
// The text is read as JSON, so blanks and line breaks (of a tool that wrote the file again) do not
// matter. Cost: linear in the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridge::profile {

struct OrtTensor {
  std::string_view type;           ///< "float"; points into the text
  std::vector<std::int64_t> dims;  ///< -1: not a number that fits
};

/// Stops at the first entry that is no object with a list of numbers.
std::vector<OrtTensor> ort_tensors(std::string_view shapes);

}  // namespace ridge::profile
