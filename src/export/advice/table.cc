// SPDX-License-Identifier: Apache-2.0
#include "export/advice/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "advice/record/output_words.h"
#include "base/text.h"
#include "export/advice/words.h"

namespace ridge::exports {
namespace {

using advice::Advice;
using advice::Finding;

/// Nodes that are named; of more, only their number.
constexpr std::size_t kNamedNodes = 6;

std::string prediction_text(const Finding& f, double latency_ns) {
  std::string out = predicted_gain_text(*f.gain_ns, latency_ns);
  if (!f.confidence.empty()) out += "; confidence in this kind here: " + f.confidence;
  return out;
}

std::string nodes_text(const std::vector<graph::NodeId>& nodes) {
  const std::span<const graph::NodeId> named(nodes.data(), std::min(nodes.size(), kNamedNodes));
  std::string out = fmt::format("{}", fmt::join(named, " "));
  if (nodes.size() > named.size()) out += fmt::format(" and {} more", nodes.size() - named.size());
  return out;
}

std::string check_text(const advice::Check& check) {
  std::string out = state_words(check);
  if (!std::isnan(check.gain_ns.value))
    out += fmt::format(": {} before, {} after, gain {}", duration(check.before_ns.value),
                       duration(check.after_ns.value), estimate_text(check.gain_ns));
  if (const std::string_view words = prediction_words(check); !words.empty())
    out += fmt::format("; prediction: {}", words);
  if (!check.reason.empty()) out += "; " + printable(check.reason);
  if (check.outputs) out += "; outputs " + printable(advice::compared_words(*check.outputs));
  return out;
}

std::string row_text(std::string_view name, std::optional<double> ns, double measured_ns,
                     const std::string& note) {
  if (!ns) return fmt::format("{:<24}unknown{}\n", name, note);
  return fmt::format("{:<24}{:>10}  {:5.1f} % of measured{}\n", name, duration(*ns),
                     100 * *ns / measured_ns, note);
}

/// Origin of the achievable figure.
std::string source_text(const advice::Achievable& a) {
  if (a.coverage.nodes > 0)
    return fmt::format(", bricks cover {:.0f} % of the nodes", 100 * a.coverage.nodes);
  std::set<std::string> ways;
  for (const advice::AchievableLayer& layer : a.layers) ways.insert(layer.from);
  if (ways.empty()) return ", the run itself: no bricks were measured";
  return fmt::format(", each piece in the best of {}", fmt::join(ways, ", "));
}

}  // namespace

Table findings_table(const Advice& a, bool exact) {
  Table table({{"finding"},
               {"question"},
               {"kind"},
               {"nodes", Align::kRight},
               {exact ? "predicted_gain_ns" : "predicted gain", Align::kRight},
               {exact ? "achieved_gain_ns" : "achieved gain", Align::kRight},
               {"check"},
               {"prediction"}});
  for (const Finding& f : a.findings) {
    std::string gain, achieved, state, prediction;
    if (f.gain_ns) gain = duration_cell(f.gain_ns->value, exact);
    if (f.predictable == false) prediction = name(advice::Prediction::kUnpredictable);
    if (f.check) {
      achieved = duration_cell(f.check->gain_ns.value, exact);
      state = exact ? std::string(name(f.check->state)) : state_words(*f.check);
      if (f.check->prediction != advice::Prediction::kNone) prediction = name(f.check->prediction);
    }
    table.add({f.id, f.question, f.kind, std::to_string(f.nodes.size()), gain, achieved, state,
               prediction});
  }
  return table;
}

std::string figures_text(const Advice& a) {
  const double measured = a.measured_ns.value;
  std::string out = fmt::format("{:<24}{:>10}  95 %: {} to {}\n", "measured", duration(measured),
                                duration(a.measured_ns.low()), duration(a.measured_ns.high()));
  out += row_text("achievable", a.achievable.sequential_ns, measured, source_text(a.achievable));
  if (a.achievable.scheduled_ns)
    out += row_text("  in parallel", a.achievable.scheduled_ns, measured,
                    ", independent layers at the same time on all processors");
  const advice::KernelBound& kernels = a.kernel_bound;
  out += row_text("bound of these kernels", kernels.sequential_ns, measured,
                  fmt::format(", covers {:.0f} % of the time", 100 * kernels.coverage.time));
  out += row_text("  in parallel", kernels.critical_path_ns, measured,
                  ", in any order, each layer on all processors");
  out += row_text("bound of the model", a.model_bound.time_ns, measured,
                  ", " + model_bound_text(a.model_bound));
  out += row_text("  in parallel", a.model_bound.parallel_ns, measured, ", on all processors");
  if (!kernels.beyond.empty())
    out += fmt::format("faster than their roof, which is too low there: nodes {}\n",
                       nodes_text(kernels.beyond));
  return out;
}

std::string findings_text(const Advice& a) {
  std::string out;
  for (const Finding& f : a.findings) {
    out += fmt::format("\n{}: {}\n", f.id, printable(f.evidence));
    if (!f.nodes.empty()) out += fmt::format("  nodes: {}\n", nodes_text(f.nodes));
    out += fmt::format("  repair: {}\n  {}\n", f.how, printable(f.command));
    if (f.gain_ns)
      out += fmt::format("  predicted gain: {}\n", prediction_text(f, a.measured_ns.value));
    if (!f.no_price.empty()) out += fmt::format("  no predicted gain: {}\n", printable(f.no_price));
    if (!f.effect.empty())
      out += fmt::format("  outputs: {}\n", printable(advice::outputs_words(f)));
    if (f.check) out += fmt::format("  check: {}\n", check_text(*f.check));
  }
  if (std::ranges::count_if(a.findings, [](const Finding& f) { return f.gain_ns.has_value(); }) > 1)
    out += "\ngains of findings that concern the same layers or processors do not add up\n";
  if (a.joint) {
    out += fmt::format("\ntogether: {}\n", fmt::join(a.joint->ids, ", "));
    if (a.joint->gain_ns)
      out += fmt::format("  predicted gain: {}\n",
                         predicted_gain_text(*a.joint->gain_ns, a.measured_ns.value));
    if (a.joint->check) out += fmt::format("  check: {}\n", check_text(*a.joint->check));
  }
  for (const std::string& note : a.notes) out += fmt::format("\nnote: {}\n", printable(note));
  return out;
}

}  // namespace ridge::exports
