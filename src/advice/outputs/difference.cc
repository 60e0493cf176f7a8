// SPDX-License-Identifier: Apache-2.0
#include "advice/outputs/difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "onnx/half.h"

namespace ridge::advice {
namespace {

using onnx::DataType;
using runtime::OutputTensor;

template <typename T, typename Read>
void compare(std::span<const std::byte> a, std::span<const std::byte> b, Read read,
             OutputApart& out) {
  double largest = 0, apart = 0;
  for (std::size_t at = 0; at + sizeof(T) <= a.size(); at += sizeof(T)) {
    T first, second;
    std::memcpy(&first, a.data() + at, sizeof(T));
    std::memcpy(&second, b.data() + at, sizeof(T));
    const double x = read(first), y = read(second);
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const double difference = std::abs(x - y);
    apart = std::max(apart, std::isnan(difference) ? INFINITY : difference);
  }
  out.max_abs = apart;
  if (apart > 0) out.max_rel = largest > 0 ? apart / largest : INFINITY;
}

/// The share of elements that differ.
void count_unequal(std::span<const std::byte> a, std::span<const std::byte> b, std::size_t size,
                   OutputApart& out) {
  std::size_t unequal = 0;
  for (std::size_t at = 0; at < a.size(); at += size)
    if (!std::ranges::equal(a.subspan(at, std::min(size, a.size() - at)),
                            b.subspan(at, std::min(size, b.size() - at))))
      ++unequal;
  if (unequal == 0) return;
  out.max_abs = out.max_rel =
      static_cast<double>(unequal) * static_cast<double>(size) / static_cast<double>(a.size());
}

OutputApart apart_of(const OutputTensor& a, const OutputTensor& b) {
  OutputApart out{.name = a.type.name};
  const auto same = [](auto x) { return x; };
  const DataType type = a.type.type;
  const onnx::DataTypeInfo* info = onnx::info(type);
  if (type == DataType::kFloat16) out.rounding = 0x1p-9;
  if (type == DataType::kBfloat16) out.rounding = 0x1p-6;
  if (type == DataType::kFloat || type == DataType::kDouble) out.rounding = kMaxDifference;
  if (type != b.type.type || a.type.dims != b.type.dims || a.bytes.size() != b.bytes.size()) {
    out.max_abs = out.max_rel = INFINITY;
  } else if (type == DataType::kFloat) {
    compare<float>(a.bytes, b.bytes, same, out);
  } else if (type == DataType::kDouble) {
    compare<double>(a.bytes, b.bytes, same, out);
  } else if (type == DataType::kFloat16) {
    compare<std::uint16_t>(a.bytes, b.bytes, onnx::float_of_float16, out);
  } else if (type == DataType::kBfloat16) {
    compare<std::uint16_t>(a.bytes, b.bytes, onnx::float_of_bfloat16, out);
  } else {
    const int bits = info == nullptr ? 8 : info->bits;
    count_unequal(a.bytes, b.bytes, static_cast<std::size_t>(std::max(bits / 8, 1)), out);
  }
  return out;
}

bool has_elements(const OutputTensor& t) {
  const bool empty = std::ranges::find(t.type.dims, 0) != t.type.dims.end();
  const onnx::DataTypeInfo* info = onnx::info(t.type.type);
  return !t.bytes.empty() || (empty && info != nullptr && info->bits > 0);
}

}  // namespace

OutputsApart outputs_apart(const runtime::Outputs& before, const runtime::Outputs& after) {
  OutputsApart out;
  for (const OutputTensor& b : after.tensors) {
    const auto same_name = [&](const OutputTensor& a) { return a.type.name == b.type.name; };
    const auto a = std::ranges::find_if(before.tensors, same_name);
    if (a == before.tensors.end()) continue;
    if (has_elements(*a) && has_elements(b))
      out.outputs.push_back(apart_of(*a, b));
    else
      out.without_data.push_back(b.type.name);
  }
  return out;
}

}  // namespace ridge::advice
