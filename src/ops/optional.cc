// SPDX-License-Identifier: Apache-2.0
// Optional values: a container of one tensor or sequence, or empty.
#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Container inside(Container c) {
  return c == Container::kOptionalSequence ? Container::kSequence
         : c == Container::kOptional       ? Container::kTensor
                                           : c;
}

Container optional_of(Container c) {
  return c == Container::kSequence ? Container::kOptionalSequence
         : c == Container::kTensor ? Container::kOptional
                                   : c;
}

Result<void> infer_optional(Context& c) {
  if (!c.has_input(0)) {
    // The attribute has the element type of an empty optional; here only declared types provide it.
    c.set_output(0, {DataType::kUndefined, Container::kOptional, {}});
    c.set_members(0, {});
    return {};
  }
  const Type& x = c.input(0);
  c.set_output(0, {x.dtype, optional_of(x.container), x.shape});
  const auto held = c.new_members(1);
  if (!held) return {};
  held->front() = {x, c.folded(0)};
  c.set_members(0, *held);
  return {};
}

Result<void> infer_get(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  const bool optional = inside(x.container) != x.container;
  c.set_output(0, {x.dtype, inside(x.container), x.shape});
  // Since opset 18 the input may be the element itself.
  const Value* folded = c.folded(0);
  if (optional) {
    const Members* held = c.members(0);
    if (held != nullptr && held->empty())
      return c.fail(Fault::kValue, "the optional is empty, it has no element");
    folded = held != nullptr ? held->front().value : nullptr;
  }
  if (folded != nullptr) c.set_value(0, *folded);
  return {};
}

Result<void> infer_has(Context& c) {
  set_tensor(c, 0, DataType::kBool, c.shape({}));
  const Type& x = c.input(0);
  std::optional<bool> has;
  if (!c.has_input(0))
    has = false;
  else if (inside(x.container) == x.container && x.dtype != DataType::kUndefined)
    has = true;
  else if (const Members* held = c.members(0); held != nullptr)
    has = !held->empty();
  if (!has) return {};
  const auto flag = new_dims(c, 1);
  flag[0] = Dim(*has ? 1 : 0);
  c.set_value(0, {DataType::kBool, c.output(0).shape, flag, {}});
  return {};
}

constexpr std::string_view kOptionalFormula = "a view: no work, no bytes";

constexpr Operator optional_row(std::string_view name, Result<void> (*infer)(Context&)) {
  return {
      .name = name, .since = 15, .infer = infer, .kind = Kind::kView, .formula = kOptionalFormula};
}

constexpr Operator kOptionalRows[] = {
    optional_row("Optional", infer_optional),
    optional_row("OptionalGetElement", infer_get),
    optional_row("OptionalHasElement", infer_has),
};

}  // namespace

const std::span<const Operator> kOptional = kOptionalRows;

}  // namespace ridge::ops
