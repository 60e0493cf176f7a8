// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/symbolic_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace ridge::analysis {
namespace {

struct Figure {
  std::string_view name;
  ops::Dim NodeCounts::*of;
};
constexpr std::array kFigures = {
    Figure{"macs", &NodeCounts::macs},
    Figure{"flops", &NodeCounts::flops},
    Figure{"special", &NodeCounts::special},
    Figure{"int_ops", &NodeCounts::int_ops},
    Figure{"bytes_read", &NodeCounts::bytes_read},
    Figure{"bytes_written", &NodeCounts::bytes_written},
};

std::string why(const Resolved& r, graph::NodeId n) {
  const std::string_view reason = r.counts(n).reason;
  return fmt::format("{}: {}", r.model().describe(n),
                     reason.empty() ? "its expression has grown too large" : reason);
}

SymbolicTotal symbolic_sum(const Resolved& r, const Figure& figure) {
  SymbolicTotal total{.name = figure.name};
  Polynomial polynomial(r.dims());
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n) {
    const ops::Dim d = r.counts(n).*figure.of;
    if (!d.unknown())
      polynomial.add(d);
    else if (total.missing++ == 0)
      total.reason = why(r, n);
  }
  if (polynomial.overflowed()) {
    total.reason = "a coefficient is past 2^63 - 1";
    return total;
  }
  total.text = polynomial.text();
  total.terms = polynomial.terms();
  return total;
}

SymbolicTotal constant(const Resolved& r, std::string_view name, std::int64_t value) {
  Polynomial polynomial(r.dims());
  polynomial.add(ops::Dim(value));
  return {.name = name, .text = polynomial.text(), .terms = polynomial.terms()};
}

SymbolicTotal peak(const Resolved& r) {
  const ops::Dim d = r.totals().peak_activation_bytes;
  SymbolicTotal total{.name = "peak_activation_bytes"};
  if (d.unknown()) {
    total.reason = "which moment is the worst depends on the sizes in too many ways";
    return total;
  }
  Polynomial polynomial(r.dims());
  polynomial.add(d);
  total.text = polynomial.text();
  total.terms = polynomial.terms();
  if (r.totals().incomplete.test(Totals::kPeakActivationBytes))
    total.reason = "the size of some activation is not known";
  return total;
}

}  // namespace

std::vector<SymbolicTotal> symbolic_totals(const Resolved& r) {
  std::vector<SymbolicTotal> out;
  for (const Figure& figure : kFigures) {
    if (figure.name == "bytes_read") {
      out.push_back(constant(r, "params", r.totals().params));
      out.push_back(constant(r, "weight_bytes", r.totals().weight_bytes));
    }
    out.push_back(symbolic_sum(r, figure));
  }
  out.push_back(peak(r));
  return out;
}

std::vector<FreeSize> free_sizes(const Resolved& r) {
  std::set<std::string> of_inputs, inside;
  const auto collect = [&](std::set<std::string>& names, ops::Dim d) {
    for (std::string& name : r.dims().symbols(d)) names.insert(std::move(name));
  };
  for (const graph::ValueId v : r.model().main().inputs)
    for (const ops::Dim d : r.type(v).shape.span()) collect(of_inputs, d);
  for (const SymbolicTotal& total : symbolic_totals(r))
    for (const Polynomial::Term& term : total.terms)
      for (const Polynomial::Factor& factor : term.factors) collect(inside, factor.atom);
  std::vector<FreeSize> out;
  for (const std::string& name : of_inputs) out.push_back({name, true});
  for (const std::string& name : inside)
    if (!of_inputs.contains(name)) out.push_back({name, false});
  return out;
}

bool any_free_size(const Resolved& r) {
  return std::ranges::any_of(r.model().main().inputs, [&](graph::ValueId v) {
    return std::ranges::any_of(r.type(v).shape.span(), [](ops::Dim d) { return d.symbolic(); });
  });
}

}  // namespace ridge::analysis
