// SPDX-License-Identifier: Apache-2.0
// Element types: from the names that runtimes use to the types of roofs and of profile::Layer.
#pragma once

#include <string>
#include <string_view>

namespace ridge::profile {

/// Translates the short names of OpenVINO and oneDNN: "f32" -> "float32", "BF16" -> "bfloat16",
/// "u8" -> "int8". Returns other names unchanged.
std::string precision_word(std::string_view precision);

/// Element type in which a kernel computes, named as in roofs: "int8" for kernels of quantized
/// arithmetic, otherwise the type of its first output as the runtime prints it
/// ("[{\"float\":[1,8]}]" -> "float32"); "" if the runtime reports none.
std::string precision_of(std::string_view kernel_type, std::string_view output_shapes);

}  // namespace ridge::profile
