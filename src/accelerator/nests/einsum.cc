// SPDX-License-Identifier: Apache-2.0
// Einstein sums as loop nests: one loop per label.
#include <algorithm>
#include <array>

#include "accelerator/nests/operators.h"
#include "ops/math/einsum_equation.h"

namespace ridge::accelerator {
namespace {

using Labels = std::vector<ops::EinsumLabel>;

struct Factor {
  BufferId buffer;
  Labels labels;  ///< one per axis
};

struct Sum {
  std::vector<Factor> factors;
  std::vector<Axis> axes;  ///< axes of the output, then those summed over
  Labels labels;           ///< one per axis
};

std::optional<Factor> factor(const NestBuilder& b, BufferId buffer, std::string_view term,
                             std::size_t& dots) {
  const auto [ellipsis, letters] = ops::measure_term(term);
  const std::size_t rank = b.shape(buffer).size();
  if (rank < letters || (rank > letters && !ellipsis)) return std::nullopt;
  const auto labels = ops::term_labels(term, rank - letters);
  if (!labels || labels->size() != rank) return std::nullopt;
  dots = std::max(dots, rank - letters);
  return Factor{buffer, *labels};
}

/// Size of a label; an axis of size 1 is broadcast along its label.
std::int64_t size_of(const NestBuilder& b, const Sum& sum, ops::EinsumLabel label) {
  std::int64_t size = 1;
  for (const Factor& f : sum.factors)
    for (std::size_t i = 0; i < f.labels.size(); ++i)
      if (f.labels[i] == label && size == 1) size = b.shape(f.buffer)[i];
  return size;
}

std::optional<Sum> parse(NestBuilder& b) {
  const auto equation = ops::split_equation(b.form().text("equation"));
  Sum sum;
  std::size_t dots = 0;
  for (std::size_t i = 0; i < equation.inputs.size(); ++i) {
    const auto buffer = b.input(i);
    auto found = buffer ? factor(b, *buffer, equation.inputs[i], dots) : std::nullopt;
    if (!found) return std::nullopt;
    sum.factors.push_back(std::move(*found));
  }
  const auto output = ops::term_labels(equation.output, dots);
  if (!output) return std::nullopt;
  sum.labels = *output;
  for (const Factor& f : sum.factors)
    for (const ops::EinsumLabel label : f.labels)
      if (std::find(sum.labels.begin(), sum.labels.end(), label) == sum.labels.end())
        sum.labels.push_back(label);
  for (std::size_t i = 0; i < sum.labels.size(); ++i)
    sum.axes.push_back(
        {i < output->size() ? "o" : "k", size_of(b, sum, sum.labels[i]), i >= output->size()});
  return sum;
}

ExprId factor_element(NestBuilder& b, const Sum& sum, const Factor& f, Indices at) {
  std::vector<ExprId> index;
  for (std::size_t i = 0; i < f.labels.size(); ++i) {
    const auto label = std::find(sum.labels.begin(), sum.labels.end(), f.labels[i]);
    index.push_back(b.shape(f.buffer)[i] == 1
                        ? b.number(0)
                        : at[static_cast<std::size_t>(label - sum.labels.begin())]);
  }
  return b.load(f.buffer, index);
}

/// Two factors only: other sums are not lowered to matrix products.
bool einsum_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto sum = parse(b);
  const auto out = b.output(0);
  if (!sum || !out || sum->factors.size() != 2) return false;
  const std::size_t rank = b.shape(*out).size();
  if (rank > sum->axes.size()) return false;
  const auto factors = [&](Indices at) {
    return NestBuilder::Factors{factor_element(b, *sum, sum->factors[0], at),
                                factor_element(b, *sum, sum->factors[1], at)};
  };
  if (rank == sum->axes.size()) {  // nothing is summed
    b.add_map("product", *out, [&](Indices at) {
      const auto [x, y] = factors(at);
      return b.product(x, y);
    });
    return true;
  }
  b.add_products(
      "sum", sum->axes, *out,
      [&](Indices at) { return std::vector(at.begin(), at.begin() + std::ptrdiff_t(rank)); },
      factors);
  return true;
}

constexpr std::array kEinsumRows = {NestRow{"", "Einsum", einsum_nest}};

}  // namespace

const std::span<const NestRow> kEinsumNests = kEinsumRows;

}  // namespace ridge::accelerator
