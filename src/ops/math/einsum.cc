// SPDX-License-Identifier: Apache-2.0
// Einstein summation.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ops/math/einsum_equation.h"
#include "ops/math/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

using Label = EinsumLabel;

struct Index {
  Label label;
  Dim size;
};

struct Sum {
  std::span<const Index> all;  ///< each label once, with its size
  std::span<const Label> output;
};

Error malformed(const Context& c, std::string_view equation) {
  return c.fail(Fault::kAttribute, fmt::format("invalid equation \"{}\"", equation));
}

Result<std::span<const Label>> labels_of(Context& c, std::string_view term, std::size_t dots) {
  const auto labels = term_labels(term, dots);
  if (!labels) return malformed(c, term);
  const auto kept = c.arena().array<Label>(labels->size());
  std::copy(labels->begin(), labels->end(), kept.begin());
  return std::span<const Label>(kept);
}

// Records the sizes of one operand; equal labels must have equal sizes, or 1.
Result<void> enter(Context& c, std::vector<Index>& all, std::span<const Label> labels,
                   const Shape& s) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Index& x) { return x.label == labels[i]; });
    if (at == all.end()) {
      all.push_back({labels[i], s[i]});
    } else if (at->size.is(1) || at->size.unknown()) {
      at->size = s[i];
    } else if (!s[i].is(1)) {
      TRY(require_same(c, at->size, s[i], "sizes of one label"));
    }
  }
  return {};
}

// Returns nullopt if a rank is unknown.
Result<std::optional<Sum>> parse(Context& c) {
  if (!c.has_attribute("equation"))
    return c.fail(Fault::kAttribute, "attribute 'equation' is not given");
  const std::string_view equation = TRY(c.string_attribute("equation", ""));
  const auto [terms, output] = split_equation(equation);
  std::vector<Index> all;
  std::size_t dots = 0;
  for (std::size_t i = 0; i < c.input_count(); ++i) {
    if (i >= terms.size()) return malformed(c, equation);
    const std::string& term = terms[i];
    const Shape& s = c.input(i).shape;
    if (!s.ranked()) return std::optional<Sum>();
    const auto [ellipsis, letters] = measure_term(term);
    const std::size_t rank = s.span().size();
    if (rank < letters || (rank > letters && !ellipsis) || s.rank > kMaxEinsumRank)
      return c.fail(Fault::kRank, fmt::format("\"{}\" has {} labels, input {} has shape {}", term,
                                              letters, i, text(c, s)));
    const auto labels = TRY(labels_of(c, term, rank - letters));
    TRY(enter(c, all, labels, s));
    if (ellipsis) dots = std::max(dots, rank - letters);
  }
  if (terms.size() > c.input_count()) return malformed(c, equation);
  const auto wanted = TRY(labels_of(c, output, dots));
  for (const Label label : wanted)
    if (std::none_of(all.begin(), all.end(), [&](const Index& x) { return x.label == label; }))
      return malformed(c, equation);
  return std::optional(Sum{c.arena().copy(all), wanted});
}

Result<void> infer_einsum(Context& c) {
  TRY(require_inputs(c, 1));
  const auto sum = TRY(parse(c));
  if (!sum) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const auto out = new_dims(c, sum->output.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const Index& index : sum->all)
      if (index.label == sum->output[i]) out[i] = index.size;
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

// Two factors with a summed label are a matrix product. Otherwise, each combination of label values
// multiplies its factors and adds the product to an output.
Work work_einsum(Context& c) {
  const auto found = parse(c);
  if (!found.ok() || !*found) return {.macs = Dim(), .flops = Dim()};
  DimPool& p = c.dims();
  const Dim outputs = c.elements(c.output(0).shape);
  Dim combinations(1);
  for (const Index& index : (*found)->all) combinations = p.mul(combinations, index.size);
  const auto factors = static_cast<std::int64_t>(c.input_count());
  // Example: "bij,bjk->bik" of [2, 3, 4] and [2, 4, 5] has 2 * 3 * 4 * 5 = 120 combinations of b,
  // i, j and k, each a MAC.
  const bool sums = (*found)->all.size() > (*found)->output.size();
  if (factors == 2 && sums) return {.macs = combinations};
  const Dim flops =
      p.add(p.mul(combinations, Dim(factors - 1)), combining(c, combinations, outputs));
  return is_integral(c.input(0).dtype) ? Work{.int_ops = flops} : Work{.flops = flops};
}

constexpr Operator kEinsumRows[] = {
    {.name = "Einsum",
     .since = 12,
     .infer = infer_einsum,
     .work = work_einsum,
     .formula = "two factors and a sum: the product of all label sizes, MACs; otherwise multiplies "
                "and adds, FLOPs"},
};

}  // namespace

const std::span<const Operator> kEinsum = kEinsumRows;

}  // namespace ridge::ops
