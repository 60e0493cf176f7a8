// SPDX-License-Identifier: Apache-2.0
#include "profile/precision.h"

#include <array>
#include <utility>
#include <vector>

#include "profile/ort_shapes.h"

namespace ridge::profile {
namespace {

using PrecisionWords = std::pair<std::string_view, std::string_view>;

constexpr std::array<PrecisionWords, 14> kPrecisions = {{{"f32", "float32"},
                                                         {"f64", "float64"},
                                                         {"f16", "float16"},
                                                         {"bf16", "bfloat16"},
                                                         {"i8", "int8"},
                                                         {"u8", "int8"},
                                                         {"i16", "int16"},
                                                         {"u16", "uint16"},
                                                         {"i32", "int32"},
                                                         {"u32", "uint32"},
                                                         {"i64", "int64"},
                                                         {"boolean", "bool"},
                                                         {"fp16", "float16"},
                                                         {"fp32", "float32"}}};

}  // namespace

std::string precision_word(std::string_view precision) {
  std::string lower(precision);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const auto& [theirs, ours] : kPrecisions)
    if (lower == theirs) return std::string(ours);
  return std::string(precision);
}

std::string precision_of(std::string_view kernel_type, std::string_view output_shapes) {
  // Prefixes of ONNX Runtime's kernels that compute in 8-bit arithmetic, whatever their output
  // type.
  constexpr std::array<std::string_view, 6> kQuantized = {
      "QLinear", "QGemm", "QAttention", "MatMulInteger", "ConvInteger", "DynamicQuantizeMatMul"};
  for (const std::string_view prefix : kQuantized)
    if (kernel_type.starts_with(prefix)) return "int8";
  const std::vector<OrtTensor> tensors = ort_tensors(output_shapes);
  if (tensors.empty()) return "";
  const std::string_view type = tensors.front().type;
  if (type == "float") return "float32";
  if (type == "double") return "float64";
  return std::string(type);
}

}  // namespace ridge::profile
