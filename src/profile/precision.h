// Element types as runtimes name them, in the names of roofs and of profile::Layer.
#pragma once

#include <string>
#include <string_view>

namespace ridge::profile {

/// OpenVINO's and oneDNN's short names: "f32" -> "float32", "BF16" -> "bfloat16", "u8" -> "int8".
/// Others as they are.
std::string precision_word(std::string_view precision);

/// The element type a kernel computes in, named as roofs are: "int8" for the kernels of quantised
/// arithmetic, else the type of its first output as the runtime prints it ("[{\"float\":[1,8]}]" ->
/// "float32"); "" where it says nothing.
std::string precision_of(std::string_view kernel_type, std::string_view output_shapes);

}  // namespace ridge::profile
