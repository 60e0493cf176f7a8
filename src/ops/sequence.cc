// Sequences of tensors: a type of their own, whose element has what all members share.
#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// What two tensors have in common.
Shape common(Context& c, const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked() || a.rank != b.rank) return {};
  const auto out = new_dims(c, a.span().size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i].same(b[i]) ? a[i] : Dim();
  return shape_of(out);
}

void set_sequence(Context& c, DataType dtype, const Shape& element) {
  c.set_output(0, {dtype, Container::kSequence, element});
}

Result<void> infer_empty(Context& c) {
  const std::int64_t dtype = TRY(c.int_attribute("dtype", 1));
  set_sequence(c, static_cast<DataType>(dtype), Shape{});
  return {};
}

Result<void> infer_construct(Context& c) {
  TRY(require_inputs(c, 1));
  Shape element = c.input(0).shape;
  for (std::size_t i = 1; i < c.input_count(); ++i) element = common(c, element, c.input(i).shape);
  set_sequence(c, c.input(0).dtype, element);
  return {};
}

Result<void> infer_at(Context& c) {
  TRY(require_inputs(c, 2));
  set_tensor(c, 0, c.input(0).dtype, c.input(0).shape);
  return {};
}

Result<void> infer_insert(Context& c) {
  TRY(require_inputs(c, 2));
  set_sequence(c, c.input(1).dtype, common(c, c.input(0).shape, c.input(1).shape));
  return {};
}

Result<void> infer_length(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kInt64, c.shape({}));
  return {};
}

Result<void> infer_split(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  Shape element;
  const bool keep = c.has_input(1) || TRY(c.int_attribute("keepdims", 1)) != 0;
  if (x.ranked()) {
    const std::size_t axis = TRY(axis_attribute(c, "axis", 0, x.span().size()));
    const auto out = new_dims(c, x.span().size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (i != axis || keep) out[n++] = i != axis ? x[i] : c.has_input(1) ? Dim() : Dim(1);
    element = shape_of(out.first(n));
  }
  set_sequence(c, c.input(0).dtype, element);
  return {};
}

Result<void> infer_concat(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  Shape shape;
  if (x.ranked()) {
    const bool stacked = TRY(c.int_attribute("new_axis", 0)) != 0;
    const auto out = new_dims(c, x.span().size() + (stacked ? 1 : 0));
    const std::size_t axis = TRY(axis_attribute(c, "axis", 0, out.size()));
    for (std::size_t i = 0; i < out.size(); ++i)
      if (i != axis) out[i] = x[stacked && i > axis ? i - 1 : i];
    shape = shape_of(out);
  }
  set_tensor(c, 0, c.input(0).dtype, shape);
  return {};
}

constexpr std::string_view kMoves = "moves data: no work";

constexpr Operator row(std::string_view name, Result<void> (*infer)(Context&)) {
  return {.name = name, .since = 11, .infer = infer, .formula = kMoves};
}

constexpr Operator kRows[] = {
    row("SequenceEmpty", infer_empty),   row("SequenceConstruct", infer_construct),
    row("SequenceAt", infer_at),         row("SequenceInsert", infer_insert),
    row("SequenceErase", infer_same),    row("SequenceLength", infer_length),
    row("SplitToSequence", infer_split), row("ConcatFromSequence", infer_concat),
};

}  // namespace

const std::span<const Operator> kSequence = kRows;

}  // namespace ridge::ops
