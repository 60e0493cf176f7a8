// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/operators.h"

#include <array>

namespace ridge::accelerator {

ExprId parameter_at(NestBuilder& b, BufferId parameter, Indices at, std::size_t axis) {
  const Sizes shape = b.shape(parameter);
  if (shape.size() == 1 && shape[0] != 1 && axis < at.size())
    return b.load(parameter, at.subspan(axis, 1));
  return b.load_repeated(parameter, at);
}

ExprId without_zero(NestBuilder& b, ExprId value, std::size_t zero, Indices at, std::size_t axis) {
  const auto from = b.input(zero);
  return from ? b.difference(value, parameter_at(b, *from, at, axis)) : value;
}

void add_function(NestBuilder& b, std::string_view function, BufferId from, BufferId to,
                  std::span<const Parameter> parameters) {
  b.add_map(std::string(function), to, [&](Indices at) {
    std::vector<ExprId> operands = {b.load(from, at)};
    for (const Parameter& p : parameters)
      if (const auto given = b.input(p.input))
        operands.push_back(parameter_at(b, *given, at, p.axis));
    return b.other(function, operands);
  });
}

void add_bias(NestBuilder& b, BufferId to, std::size_t input, std::size_t axis) {
  if (b.form().has_input(input))
    add_function(b, "bias", to, to, std::array{Parameter{input, axis}});
}

std::vector<BufferId> given(NestBuilder& b, std::initializer_list<std::size_t> inputs) {
  std::vector<BufferId> out;
  for (const std::size_t i : inputs)
    if (const auto buffer = b.input(i)) out.push_back(*buffer);
  return out;
}

void add_activation(NestBuilder& b, BufferId out) {
  const std::string_view function = b.form().text("activation");
  if (!function.empty()) add_function(b, function, out, out);
}

void add_repeated(NestBuilder& b, std::string name, BufferId to, BufferId c) {
  b.add_map(std::move(name), to,
            [&](Indices at) { return b.sum(b.load(to, at), b.load_repeated(c, at)); });
}

// Example: 4 rows of 8 columns in 16 elements: each row is 4 elements, (1, 5) is in element 1 * 4
// + 5 * 4 / 8 = 6. But 3 rows of 5 columns in 8 elements: (1, 2) is number 7, in element 7 * 8 / 15
// = 3.
ExprId load_packed(NestBuilder& b, BufferId buffer, ExprId row, std::int64_t rows, ExprId column,
                   std::int64_t columns) {
  const std::int64_t held = product(b.shape(buffer));
  // If rows do not begin at an element of their own, they are packed without gaps.
  if (rows > 0 && held % rows == 0)
    return b.load_flat(buffer,
                       b.sum(b.product(row, b.number(held / rows)),
                             b.quotient(b.product(column, b.number(held / rows)), columns)));
  const ExprId number = b.sum(b.product(row, b.number(columns)), column);
  return b.load_flat(buffer, b.quotient(b.product(number, b.number(held)), times({rows, columns})));
}

}  // namespace ridge::accelerator
