// SPDX-License-Identifier: Apache-2.0
// Sequences of tensors. The type of a sequence has the shape common to all members; if the members
// are known individually, they are tracked with their values.
#include "ops/sequence.h"

#include <fmt/format.h>

#include "ops/tables.h"

namespace ridge::ops {

Shape common_shape(Context& c, const Shape& a, const Shape& b) {
  if (a.rank == Shape::kNoMembers) return b;
  if (b.rank == Shape::kNoMembers) return a;
  if (!a.ranked() || !b.ranked() || a.rank != b.rank) return {};
  const auto out = new_dims(c, a.span().size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i].same(b[i]) ? a[i] : Dim();
  return shape_of(out);
}

void set_sequence(Context& c, DataType dtype, Members members) {
  Shape element{nullptr, Shape::kNoMembers};
  for (const Member& m : members) element = common_shape(c, element, m.type.shape);
  c.set_output(0, {dtype, Container::kSequence, element});
  c.set_members(0, members);
}

namespace {

Result<void> infer_empty(Context& c) {
  set_sequence(c, TRY(type_attribute(c, "dtype", DataType::kFloat)), {});
  return {};
}

Member member(Context& c, std::size_t i) { return {c.input(i), c.value(i)}; }

Result<void> infer_construct(Context& c) {
  TRY(require_inputs(c, 1));
  const auto members = c.new_members(c.input_count());
  if (!members) {
    Shape element = c.input(0).shape;
    for (std::size_t i = 1; i < c.input_count(); ++i)
      element = common_shape(c, element, c.input(i).shape);
    c.set_output(0, {c.input(0).dtype, Container::kSequence, element});
    return {};
  }
  for (std::size_t i = 0; i < members->size(); ++i) (*members)[i] = member(c, i);
  set_sequence(c, c.input(0).dtype, *members);
  return {};
}

// Member position given by input `i`; `end` allows the position after the last. nullopt if unknown.
enum class End : std::uint8_t { kExcluded, kIncluded };
Result<std::optional<std::size_t>> position(const Context& c, std::size_t i, std::size_t size,
                                            End end) {
  const Dim given = scalar_input(c, i);
  if (!given.known()) return std::optional<std::size_t>();
  const auto n = static_cast<std::int64_t>(size), last = end == End::kIncluded ? n : n - 1;
  if (given.value() < -n || given.value() > last)
    return c.fail(Fault::kValue, fmt::format("position {} is outside a sequence of {} tensors",
                                             given.value(), size));
  return std::optional(
      static_cast<std::size_t>(given.value() < 0 ? given.value() + n : given.value()));
}

// The element shape of an empty sequence is unknown.
Shape element_shape(const Context& c) {
  const Shape& s = c.input(0).shape;
  return s.rank == Shape::kNoMembers ? Shape{} : s;
}

Result<void> infer_at(Context& c) {
  TRY(require_inputs(c, 2));
  set_tensor(c, 0, c.input(0).dtype, element_shape(c));
  const Members* members = c.members(0);
  if (members == nullptr) return {};
  const auto at = TRY(position(c, 1, members->size(), End::kExcluded));
  if (!at) return {};
  const Member& m = (*members)[*at];
  set_tensor(c, 0, c.input(0).dtype, m.type.shape);
  if (m.value != nullptr) c.set_value(0, *m.value);
  return {};
}

Result<void> infer_insert(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(1);
  c.set_output(0, {x.dtype, Container::kSequence, common_shape(c, c.input(0).shape, x.shape)});
  const Members* members = c.members(0);
  if (members == nullptr) return {};
  std::optional<std::size_t> at = members->size();
  if (c.has_input(2)) at = TRY(position(c, 2, members->size(), End::kIncluded));
  if (!at) return {};
  const auto out = c.new_members(members->size() + 1);
  if (!out) return {};
  for (std::size_t i = 0; i < out->size(); ++i)
    (*out)[i] = i == *at ? member(c, 1) : (*members)[i < *at ? i : i - 1];
  set_sequence(c, x.dtype, *out);
  return {};
}

Result<void> infer_erase(Context& c) {
  TRY(require_inputs(c, 1));
  c.set_output(0, {c.input(0).dtype, Container::kSequence, element_shape(c)});
  const Members* members = c.members(0);
  if (members == nullptr || members->empty()) return {};
  std::optional<std::size_t> at = members->size() - 1;
  if (c.has_input(1)) at = TRY(position(c, 1, members->size(), End::kExcluded));
  if (!at) return {};
  const auto out = c.new_members(members->size() - 1);
  if (!out) return {};
  for (std::size_t i = 0; i < out->size(); ++i) (*out)[i] = (*members)[i < *at ? i : i + 1];
  set_sequence(c, c.input(0).dtype, *out);
  return {};
}

Result<void> infer_length(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kInt64, c.shape({}));
  const Members* members = c.members(0);
  if (members == nullptr) return {};
  const auto length = new_dims(c, 1);
  length[0] = Dim(static_cast<std::int64_t>(members->size()));
  c.set_value(0, {DataType::kInt64, c.output(0).shape, length, {}});
  return {};
}

struct Parts {
  std::span<const Dim> sizes;  ///< along the axis, if all are known
  bool known = false;
};

// A scalar split is the length of each part (the last may be shorter); a list has each length.
Result<Parts> split_parts(Context& c, Dim whole) {
  const bool given = c.has_input(1);
  const Value* split = integral_value(c, 1);
  if (given && split == nullptr) return Parts{};
  if (split != nullptr && split->shape.rank == 1) {
    Dim sum(0);
    for (const Dim& d : split->ints) {
      if (!d.known() || d.value() < 0) return Parts{};
      sum = c.dims().add(sum, d);
    }
    TRY(require_same(c, sum, whole, "sum of the parts and the size of the axis"));
    return Parts{split->ints, true};
  }
  const Dim each = split != nullptr ? scalar_input(c, 1) : Dim(1);
  if (each.known() && each.value() < 1)
    return c.fail(Fault::kDivision, fmt::format("invalid part size {}", each.value()));
  // Example: an axis of 10 in parts of 4 gives 3 parts: 4, 4 and 2.
  const Dim count = c.dims().ceil_div(whole, each);
  if (!count.known() || !each.known() || count.value() > static_cast<std::int64_t>(kMaxMembers))
    return Parts{};
  const auto sizes = new_dims(c, static_cast<std::size_t>(count.value()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t rest = whole.value() - static_cast<std::int64_t>(i) * each.value();
    sizes[i] = Dim(std::min(each.value(), rest));
  }
  return Parts{sizes, true};
}

Shape part_shape(Context& c, const Shape& x, std::size_t axis, Dim size, bool keep) {
  const auto out = new_dims(c, x.span().size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (i != axis || keep) out[n++] = i != axis ? x[i] : size;
  return shape_of(out.first(n));
}

Result<void> infer_sequence_split(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  c.set_output(0, {x.dtype, Container::kSequence, {}});
  if (!x.shape.ranked()) return {};
  const bool keep = c.has_input(1) || TRY(c.int_attribute("keepdims", 1)) != 0;
  const std::size_t axis = TRY(axis_attribute(c, "axis", 0, x.shape.span().size()));
  const Parts parts = TRY(split_parts(c, x.shape[axis]));
  const auto members = parts.known ? c.new_members(parts.sizes.size()) : std::nullopt;
  if (!members) {
    const Dim size = c.has_input(1) ? Dim() : Dim(1);
    c.set_output(0, {x.dtype, Container::kSequence, part_shape(c, x.shape, axis, size, keep)});
    return {};
  }
  for (std::size_t i = 0; i < members->size(); ++i)
    (*members)[i].type = {x.dtype, Container::kTensor,
                          part_shape(c, x.shape, axis, parts.sizes[i], keep)};
  set_sequence(c, x.dtype, *members);
  return {};
}

// Size of the concatenation axis: the number of members for a new axis, else the sum of their
// sizes.
Dim joined_size(Context& c, std::size_t axis, bool stacked) {
  const Members* members = c.members(0);
  if (members == nullptr) return {};
  if (stacked) return Dim(static_cast<std::int64_t>(members->size()));
  Dim sum(0);
  for (const Member& m : *members)
    sum = c.dims().add(sum, m.type.shape.span().size() > axis ? m.type.shape[axis] : Dim());
  return sum;
}

Result<void> infer_sequence_concat(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  Shape shape;
  if (x.ranked()) {
    const bool stacked = TRY(c.int_attribute("new_axis", 0)) != 0;
    const auto out = new_dims(c, x.span().size() + (stacked ? 1 : 0));
    const std::size_t axis = TRY(axis_attribute(c, "axis", 0, out.size()));
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = i == axis ? joined_size(c, axis, stacked) : x[stacked && i > axis ? i - 1 : i];
    shape = shape_of(out);
  }
  set_tensor(c, 0, c.input(0).dtype, shape);
  return {};
}

constexpr Operator sequence_row(std::string_view name, Result<void> (*infer)(Context&)) {
  return {.name = name, .since = 11, .infer = infer, .formula = kMoves};
}

constexpr Operator kSequenceRows[] = {
    sequence_row("SequenceEmpty", infer_empty),
    sequence_row("SequenceConstruct", infer_construct),
    sequence_row("SequenceAt", infer_at),
    sequence_row("SequenceInsert", infer_insert),
    sequence_row("SequenceErase", infer_erase),
    sequence_row("SequenceLength", infer_length),
    sequence_row("SplitToSequence", infer_sequence_split),
    sequence_row("ConcatFromSequence", infer_sequence_concat),
};

}  // namespace

const std::span<const Operator> kSequence = kSequenceRows;

}  // namespace ridge::ops
