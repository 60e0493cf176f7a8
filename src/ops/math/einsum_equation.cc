// SPDX-License-Identifier: Apache-2.0
#include "ops/math/einsum_equation.h"

#include <algorithm>
#include <iterator>

#include "base/list.h"

namespace ridge::ops {
namespace {

std::string implied_output(std::string_view inputs) {
  std::string out;
  for (const char x : inputs)
    if (x != ',' && x != '.' && std::count(inputs.begin(), inputs.end(), x) == 1) out += x;
  std::sort(out.begin(), out.end());
  return inputs.find("...") == std::string_view::npos ? out : "..." + out;
}

}  // namespace

EinsumEquation split_equation(std::string_view equation) {
  std::string text;
  std::copy_if(equation.begin(), equation.end(), std::back_inserter(text),
               [](char x) { return x != ' '; });
  const std::size_t arrow = text.find("->");
  const std::string_view terms = std::string_view(text).substr(0, arrow);
  EinsumEquation out;
  out.output = arrow == std::string::npos ? implied_output(terms) : text.substr(arrow + 2);
  for (const std::string_view term : split(terms)) out.inputs.emplace_back(term);
  return out;
}

EinsumTerm measure_term(std::string_view term) {
  const bool ellipsis = term.find("...") != std::string_view::npos;
  return {ellipsis, term.size() - (ellipsis ? 3 : 0)};
}

std::optional<std::vector<EinsumLabel>> term_labels(std::string_view term, std::size_t dots) {
  std::vector<EinsumLabel> out;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term.substr(i).starts_with("...")) {
      for (std::size_t k = 0; k < dots; ++k) out.push_back(static_cast<EinsumLabel>(dots - 1 - k));
      i += 2;
    } else if ((term[i] | 0x20) >= 'a' && (term[i] | 0x20) <= 'z') {
      out.push_back(kMaxEinsumRank + term[i]);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace ridge::ops
