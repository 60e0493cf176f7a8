// SPDX-License-Identifier: Apache-2.0
#include "ops/type.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::ops {

bool same_shape(const Shape& a, const Shape& b) {
  return a.ranked() && a.rank == b.rank &&
         std::ranges::equal(a.span(), b.span(), [](Dim x, Dim y) { return x.same(y); });
}

std::string dims_text(const Shape& shape, const DimPool& dims) {
  if (!shape.ranked()) return "of unknown rank";
  std::string text;
  for (const Dim& d : shape.span()) text += (text.empty() ? "" : ", ") + dims.text(d);
  return "[" + text + "]";
}

std::string type_text(const Type& type, const DimPool& dims) {
  if (!type.shape.ranked() && type.dtype == DataType::kUndefined) return "of unknown type";
  return fmt::format("{} {}", onnx::name(type.dtype), dims_text(type.shape, dims));
}

Dim type_bytes(const Type& type, DimPool& dims) {
  const onnx::DataTypeInfo* row = onnx::info(type.dtype);
  if (row == nullptr || row->bits == 0 || !type.shape.ranked() ||
      type.container != Container::kTensor)
    return {};
  if (row->bits % 8 == 0) {  // fast path: whole bytes, and known dimensions without overflow
    std::int64_t bytes = row->bits / 8;
    const Dim* d = type.shape.dims;
    const Dim* const end = d + type.shape.rank;
    while (d != end && d->known() && !__builtin_mul_overflow(bytes, d->value(), &bytes)) ++d;
    if (d == end) return Dim(bytes);
  }
  const Dim elements = dims.product(type.shape.span());
  if (row->bits % 8 == 0) return dims.mul(elements, Dim(row->bits / 8));
  return dims.ceil_div(dims.mul(elements, Dim(row->bits)), Dim(8));
}

}  // namespace ridge::ops
