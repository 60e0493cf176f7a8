// SPDX-License-Identifier: Apache-2.0
// Type conversions: they move data, without arithmetic.
#include <fmt/format.h>

#include <cmath>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Before opset 6 the type is given by its name in TensorProto.
Result<void> infer_named_cast(Context& c) {
  TRY(require_inputs(c, 1));
  const std::string_view given = TRY(c.string_attribute("to", ""));
  std::string name;
  for (const char x : given) name += x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x;
  if (name == "float" || name == "double") name = name == "float" ? "float32" : "float64";
  const auto type = onnx::data_type_named(name);
  if (!type)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'to' is \"{}\", which is not an element type", given));
  set_tensor(c, 0, *type, c.input(0).shape);
  return {};
}

Result<void> infer_cast(Context& c) {
  TRY(require_inputs(c, 1));
  const std::int64_t to = TRY(c.int_attribute("to", 0));
  if (to < 1 || to > INT32_MAX || onnx::info_of(static_cast<std::int32_t>(to)) == nullptr)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'to' is {}, which is not an element type", to));
  set_tensor(c, 0, static_cast<DataType>(to), c.input(0).shape);
  return {};
}

Result<void> infer_cast_like(Context& c) {
  TRY(require_inputs(c, 2));
  set_tensor(c, 0, c.input(1).dtype, c.input(0).shape);
  return {};
}

// Reinterprets the bits as another type of the same width.
Result<void> infer_bit_cast(Context& c) {
  TRY(infer_cast(c));
  const onnx::DataTypeInfo *from = onnx::info(c.input(0).dtype),
                           *to = onnx::info(c.output(0).dtype);
  if (from != nullptr && to != nullptr && from->bits != to->bits)
    return c.fail(Fault::kAttribute,
                  fmt::format("{} has {} bits, but {} has {}: the widths must be equal", from->name,
                              from->bits, to->name, to->bits));
  return {};
}

// Converts an integer to the range of its new type; narrower types keep the low bits, as in C.
Dim narrowed(Dim d, const onnx::DataTypeInfo& to) {
  if (!d.known() || to.bits >= 64) return d;
  if (to.type == DataType::kBool) return Dim(d.value() != 0 ? 1 : 0);
  const auto span = std::int64_t{1} << to.bits;
  std::int64_t low = d.value() & (span - 1);
  if (to.name.front() == 'i' && low >= span / 2) low -= span;
  return Dim(low);
}

Dim truncated(double x, const onnx::DataTypeInfo& to) {
  if (to.type == DataType::kBool) return Dim(x != 0 ? 1 : 0);
  if (!(std::fabs(x) < 9e18)) return {};
  return narrowed(Dim(static_cast<std::int64_t>(x)), to);
}

void fold_cast(Context& c) {
  const Value* v = c.value(0);
  const onnx::DataTypeInfo* to = onnx::info(c.output(0).dtype);
  const std::int64_t n = foldable(c, 0);
  if (v == nullptr || to == nullptr || n < 0) return;
  const auto count = static_cast<std::size_t>(n);
  if (to->floating) {
    const auto out = c.arena().array<double>(count);
    for (std::size_t k = 0; k < count; ++k) {
      if (is_floating(v->dtype))
        out[k] = v->reals[k];
      else if (v->ints[k].known())
        out[k] = static_cast<double>(v->ints[k].value());
      else
        return;
    }
    set_reals(c, 0, out);
  } else if (is_integral(to->type)) {
    const auto out = c.arena().array<Dim>(count);
    for (std::size_t k = 0; k < count; ++k)
      out[k] = is_floating(v->dtype) ? truncated(v->reals[k], *to) : narrowed(v->ints[k], *to);
    set_ints(c, 0, out);
  }
}

constexpr Operator kCastRows[] = {
    {.name = "Cast", .since = 1, .infer = infer_named_cast, .fold = fold_cast, .formula = kMoves},
    {.name = "Cast", .since = 6, .infer = infer_cast, .fold = fold_cast, .formula = kMoves},
    {.name = "BitCast",
     .since = 26,
     .infer = infer_bit_cast,
     .kind = Kind::kView,
     .formula = "a view: no work, no bytes"},
    {.name = "CastLike",
     .since = 15,
     .infer = infer_cast_like,
     .fold = fold_cast,
     .formula = kMoves},
};

}  // namespace

const std::span<const Operator> kCast = kCastRows;

}  // namespace ridge::ops
