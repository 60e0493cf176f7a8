// SPDX-License-Identifier: Apache-2.0
// Einstein sums of two factors as batched products. Labels in both factors and in the output are
// the batch, those in one factor and in the output its rows or columns, summed labels the depth K.
// A summed label of only one factor is depth too, as if the other factor repeated along it: this is
// the number of multiplications counted.
//
// Example: bij,bjk->bik of [8, 16, 32] and [8, 32, 64] is 8 products with M = 16, N = 64, K = 32.
#include <algorithm>

#include "accelerator/products.h"
#include "ops/math/einsum_equation.h"

namespace ridge::accelerator {
namespace {

struct Label {
  ops::EinsumLabel label;
  std::int64_t size = 1;
  bool first = false, second = false, kept = false;
};

/// Adds the labels of one factor; nullopt if they do not match its shape.
std::optional<std::size_t> enter(std::vector<Label>& all, std::string_view term, const Sizes& sizes,
                                 bool Label::*factor) {
  const auto [ellipsis, letters] = ops::measure_term(term);
  if (sizes.size() < letters || (sizes.size() > letters && !ellipsis)) return std::nullopt;
  const std::size_t dots = sizes.size() - letters;
  const auto labels = ops::term_labels(term, dots);
  if (!labels || labels->size() != sizes.size()) return std::nullopt;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const Label& l) { return l.label == (*labels)[i]; });
    if (at == all.end()) at = all.insert(all.end(), Label{.label = (*labels)[i]});
    at->size = std::max(at->size, sizes[i]);
    // An axis of one element is broadcast along the label: the factor does not have the label.
    if (sizes[i] != 1) (*at).*factor = true;
  }
  return ellipsis ? dots : 0;
}

}  // namespace

std::optional<Gemms> einstein_sum(const Form& f) {
  const auto equation = ops::split_equation(f.text("equation"));
  const auto a = f.input(0), b = f.input(1);
  if (equation.inputs.size() != 2 || !a || !b) return std::nullopt;
  std::vector<Label> all;
  const auto first = enter(all, equation.inputs[0], *a, &Label::first);
  const auto second = enter(all, equation.inputs[1], *b, &Label::second);
  if (!first || !second) return std::nullopt;
  const auto output = ops::term_labels(equation.output, std::max(*first, *second));
  if (!output) return std::nullopt;
  std::int64_t m = 1, n = 1, k = 1, batch = 1;
  for (Label& l : all) {
    l.kept = std::find(output->begin(), output->end(), l.label) != output->end();
    std::int64_t& side = !l.kept ? k : l.first && l.second ? batch : l.second ? n : m;
    side = times({side, l.size});
  }
  return Gemms{matrix_product(m, n, k, batch)};
}

}  // namespace ridge::accelerator
