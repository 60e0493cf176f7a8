// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/symbolic_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "analysis/sizes/symbolic_totals.h"
#include "base/text.h"

namespace ridge::exports {
namespace {

using analysis::FreeSize;
using analysis::Resolved;
using analysis::SymbolicTotal;

std::string size_names(const std::vector<FreeSize>& sizes, bool of_input) {
  std::string names;
  for (const FreeSize& size : sizes)
    if (size.of_input == of_input) names += (names.empty() ? "" : ", ") + size.name;
  return names;
}

/// "batch = 16" for 4*batch = 64: the value of a size if only one occurs, to the first power.
std::string solved(const Resolved& r, const analysis::FixedSize& fixed) {
  const auto terms = r.dims().monomials(fixed.left);
  const bool single = terms.size() == 1 && terms[0].atoms.size() == 1 && fixed.right.known();
  if (!single || fixed.right.value() % terms[0].coefficient != 0)
    return fmt::format("{} = {}", r.dims().text(fixed.left), r.dims().text(fixed.right));
  return fmt::format("{} = {}", r.dims().text(terms[0].atoms[0]),
                     fixed.right.value() / terms[0].coefficient);
}

/// "batch = 1, by node #5 'r' (Reshape) and 3 others".
std::string fixed_text(const Resolved& r, const analysis::FixedSize& fixed) {
  std::string text = fmt::format("{}, by {} ({})", solved(r, fixed), r.model().describe(fixed.node),
                                 r.model().node(fixed.node).op_type);
  if (fixed.nodes > 1) text += fmt::format(" and {}", counted(fixed.nodes - 1, "other"));
  return text;
}

std::vector<std::string> symbolic_head(const Resolved& r) {
  const std::vector<FreeSize> sizes = analysis::free_sizes(r);
  std::vector<std::string> lines;
  const std::string free = size_names(sizes, true), inside = size_names(sizes, false);
  lines.push_back(free.empty() ? "every size of the inputs is fixed" : "free sizes " + free);
  if (!inside.empty())
    lines.push_back("data-dependent sizes, by their names in the file: " + inside);
  std::string bound;
  for (const auto& [name, binding] : r.bindings())
    bound += fmt::format("{}{} = {}", bound.empty() ? "" : ", ", name, binding.value);
  if (!bound.empty()) lines.push_back("sizes " + bound);
  for (const analysis::FixedSize& fixed : r.fixed_sizes())
    lines.push_back("fixed inside the model: " + fixed_text(r, fixed));
  std::string values;
  for (const auto& [input, source] : r.given_values())
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", input, source);
  if (!values.empty()) lines.push_back("values " + values);
  return lines;
}

std::string equation(const SymbolicTotal& total) {
  std::string line = fmt::format("{:<21} = {}", total.name, total.text.empty() ? "?" : total.text);
  if (total.missing > 0)
    line += fmt::format("   (at least: {} not known, {})", counted(total.missing, "node"),
                        total.reason);
  else if (!total.reason.empty())
    line += fmt::format("   ({})", total.reason);
  return line;
}

}  // namespace

void write_symbolic_totals(const Resolved& r, SymbolicForm form, Sink& sink) {
  const bool text = form == SymbolicForm::kText;
  const std::string path = printable(r.model().document().path);
  sink.write(text ? path + "\n" : "# " + path + "\n\n```text\n");
  for (const std::string& line : symbolic_head(r)) sink.write("  " + printable(line) + "\n");
  sink.write("\n");
  for (const SymbolicTotal& total : analysis::symbolic_totals(r))
    sink.write(printable(equation(total)) + "\n");
  if (!text) sink.write("```\n");
}

SymbolicView symbolic_view(const Resolved& r) {
  SymbolicView out{.sizes = analysis::free_sizes(r), .fixed = {}, .totals = {}};
  for (const analysis::FixedSize& fixed : r.fixed_sizes())
    out.fixed.push_back({solved(r, fixed), fixed.node, fixed.nodes});
  for (SymbolicTotal& total : analysis::symbolic_totals(r)) {
    SymbolicView::Expression e{.text = std::move(total.text),
                               .terms = {},
                               .missing_nodes = total.missing,
                               .reason = std::move(total.reason)};
    for (const analysis::Polynomial::Term& term : total.terms) {
      SymbolicView::Term& t = e.terms.emplace_back();
      t.coefficient = term.coefficient;
      for (const analysis::Polynomial::Factor& factor : term.factors)
        t.powers.emplace_back(r.dims().text(factor.atom), factor.power);
    }
    out.totals.emplace_back(total.name, std::move(e));
  }
  return out;
}

}  // namespace ridge::exports
