// SPDX-License-Identifier: Apache-2.0
// Tensors of random numbers. Their generation is not counted as work.
#include <fmt/format.h>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<DataType> dtype_attribute(const Context& c, DataType fallback) {
  const std::int64_t given = TRY(c.int_attribute("dtype", static_cast<std::int64_t>(fallback)));
  return static_cast<DataType>(given);
}

Result<void> infer_shaped(Context& c) {
  const auto sizes = TRY(c.ints_attribute("shape"));
  const auto out = new_dims(c, sizes.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (sizes[i] < 0)
      return c.fail(Fault::kAttribute, fmt::format("attribute 'shape' holds {}", sizes[i]));
    out[i] = Dim(sizes[i]);
  }
  set_tensor(c, 0, TRY(dtype_attribute(c, DataType::kFloat)), out);
  return {};
}

Result<void> infer_like(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, TRY(dtype_attribute(c, c.input(0).dtype)), c.input(0).shape);
  return {};
}

Result<void> infer_multinomial(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 2));
  const Shape& x = c.input(0).shape;
  const std::int64_t samples = TRY(c.int_attribute("sample_size", 1));
  set_tensor(c, 0, TRY(dtype_attribute(c, DataType::kInt32)),
             c.shape({x.ranked() ? x[0] : Dim(), Dim(samples)}));
  return {};
}

constexpr std::string_view kFills = "fills data: no work";

constexpr Operator kRandomRows[] = {
    {.name = "RandomNormal", .since = 1, .infer = infer_shaped, .formula = kFills},
    {.name = "RandomUniform", .since = 1, .infer = infer_shaped, .formula = kFills},
    {.name = "RandomNormalLike", .since = 1, .infer = infer_like, .formula = kFills},
    {.name = "RandomUniformLike", .since = 1, .infer = infer_like, .formula = kFills},
    {.name = "Bernoulli",
     .since = 15,
     .infer = infer_like,
     .work = per_output<Cost{.flops = 1}>,
     .formula = "1 compare per element"},
    {.name = "Multinomial", .since = 7, .infer = infer_multinomial, .formula = kFills},
};

}  // namespace

const std::span<const Operator> kRandom = kRandomRows;

}  // namespace ridge::ops
