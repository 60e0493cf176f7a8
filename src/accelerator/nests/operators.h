// The loop nests of operators. Private to layer_nest.cc: a table for each family.
#pragma once

#include <span>
#include <string_view>

#include "accelerator/nests/builder.h"
#include "ops/rule.h"

namespace ridge::accelerator {

struct NestRow {
  std::string_view domain, op;
  /// Adds the blocks of the operator; false: a size is not known, or the form is not one that the
  /// operator can have.
  bool (*build)(NestBuilder& b, PaddingForm padding);
};

extern const std::span<const NestRow> kAttentionNests;
extern const std::span<const NestRow> kAttentiveNests;
extern const std::span<const NestRow> kCausalNests;
extern const std::span<const NestRow> kConvolutionNests;
extern const std::span<const NestRow> kEinsumNests;
extern const std::span<const NestRow> kExpertNests;
extern const std::span<const NestRow> kPackedNests;
extern const std::span<const NestRow> kProductNests;
extern const std::span<const NestRow> kProjectedNests;
extern const std::span<const NestRow> kRecurrentNests;
extern const std::span<const NestRow> kSmallNests;
extern const std::span<const NestRow> kStateNests;
extern const std::span<const NestRow> kTransposedNests;

using ops::kMicrosoft;
/// In place of the number of an input that an operator does not have.
inline constexpr std::size_t kNoInput = 1000;

/// Element of a parameter that is one for all, one for each index of an axis, or repeated as
/// numpy's rules have it.
ExprId parameter_at(NestBuilder& b, BufferId parameter, Indices at, std::size_t axis);
/// `value` less its zero point, where input `zero` is given.
ExprId without_zero(NestBuilder& b, ExprId value, std::size_t zero, Indices at, std::size_t axis);
/// to[at] = function(from[at], parameters[at]...), those that are given.
struct Parameter {
  std::size_t input = kNoInput;
  std::size_t axis = 0;
};
void add_function(NestBuilder& b, std::string_view function, BufferId from, BufferId to,
                  std::span<const Parameter> parameters = {});
/// An element of input `input` for each index of an axis, where it is given.
void add_bias(NestBuilder& b, BufferId to, std::size_t input, std::size_t axis);
/// What the attribute 'activation' names.
void add_activation(NestBuilder& b, BufferId out);
/// to[at] = to[at] + c[at], `c` repeated.
void add_repeated(NestBuilder& b, std::string name, BufferId to, BufferId c);

/// Those of the inputs that are given.
std::vector<BufferId> given(NestBuilder& b, std::initializer_list<std::size_t> inputs);

/// What a buffer packs into fewer elements, evenly: number `column` of `columns` in row `row` of
/// `rows`.
ExprId load_packed(NestBuilder& b, BufferId buffer, ExprId row, std::int64_t rows, ExprId column,
                   std::int64_t columns);

}  // namespace ridge::accelerator
