// SPDX-License-Identifier: Apache-2.0
// Loop nests of operators, one table per family. Private to registry.cc.
#pragma once

#include <span>
#include <string_view>

#include "accelerator/nests/builder.h"
#include "ops/rule.h"

namespace ridge::accelerator {

struct NestRow {
  std::string_view domain, op;
  /// Adds the blocks of the operator; false: a size is unknown, or the form is invalid for the
  /// operator.
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
/// Number of an input that an operator does not have.
inline constexpr std::size_t kNoInput = 1000;

/// Element of a parameter: a scalar, one element per index of `axis`, or broadcast by numpy's
/// rules.
ExprId parameter_at(NestBuilder& b, BufferId parameter, Indices at, std::size_t axis);
/// `value` minus its zero point if input `zero` is given.
ExprId without_zero(NestBuilder& b, ExprId value, std::size_t zero, Indices at, std::size_t axis);
/// Input of a function, as for parameter_at; ignored if it is not given.
struct Parameter {
  std::size_t input = kNoInput;
  std::size_t axis = 0;
};
/// Appends to[at] = function(from[at], parameters[at]...) for all elements.
void add_function(NestBuilder& b, std::string_view function, BufferId from, BufferId to,
                  std::span<const Parameter> parameters = {});
/// Adds input `input`, if given, with one element per index of `axis`.
void add_bias(NestBuilder& b, BufferId to, std::size_t input, std::size_t axis);
/// Applies the function that the attribute 'activation' names.
void add_activation(NestBuilder& b, BufferId out);
/// Adds `c`, broadcast: to[at] = to[at] + c[at].
void add_repeated(NestBuilder& b, std::string name, BufferId to, BufferId c);

/// Buffers of the inputs that are given.
std::vector<BufferId> given(NestBuilder& b, std::initializer_list<std::size_t> inputs);

/// Element of a buffer that packs a matrix of `rows` x `columns` evenly into fewer elements: the
/// one with the value at (row, column).
ExprId load_packed(NestBuilder& b, BufferId buffer, ExprId row, std::int64_t rows, ExprId column,
                   std::int64_t columns);

}  // namespace ridge::accelerator
