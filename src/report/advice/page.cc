// SPDX-License-Identifier: Apache-2.0
#include "report/advice/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "export/advice/words.h"
#include "export/analysis/figure_text.h"
#include "report/advice/sections.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

using advice::Advice;
using advice::Finding;

constexpr std::size_t kMaxNotes = 50;
constexpr std::string_view kFooterOfAdvice =
    "<footer>Latencies and achieved gains are measured, bounds follow from the model's shapes and "
    "from measured roofs, predicted gains from measured bricks. Made by ridge.</footer>\n";

bool known_number(double value) { return std::isfinite(value); }

std::string latency_tile(const Advice& a) {
  const stats::Estimate& e = a.measured_ns;
  if (!known_number(e.value)) return tile("unknown", "latency");
  return tile(duration(e.value), e.interval ? fmt::format("latency, median, 95 % interval [{}, {}]",
                                                          duration(e.low()), duration(e.high()))
                                            : "latency, median");
}

std::string share_tile(const Advice& a, std::optional<double> ns, std::string_view what) {
  if (!ns || !known_number(*ns)) return tile("unknown", what);
  std::string text(what);
  if (a.measured_ns.value > 0)
    text += fmt::format(", {} of measured", exports::percent_text(*ns / a.measured_ns.value));
  return tile(duration(*ns), text);
}

/// "3 findings, 2 gained": how many, and what their checks said.
std::string findings_tile(const Advice& a) {
  const auto with = [&](advice::CheckState state) {
    return std::ranges::count_if(
        a.findings, [&](const Finding& f) { return f.check && f.check->state == state; });
  };
  std::string states;
  using advice::CheckState;
  for (const CheckState state :
       {CheckState::kGained, CheckState::kLost, CheckState::kNoDifference, CheckState::kNotJudged})
    if (const auto count = with(state); count > 0) {
      advice::Check check;
      check.state = state;
      states += fmt::format(", {} {}", count, exports::state_words(check));
    }
  const auto unchecked =
      std::ranges::count_if(a.findings, [](const Finding& f) { return !f.check; });
  if (unchecked > 0) states += fmt::format(", {} not checked", unchecked);
  return tile(std::to_string(a.findings.size()), "findings" + states);
}

/// One sentence with the finding that gains most; "" without one.
std::string best(const AdviceView& view) {
  if (view.findings.empty()) return "";
  const Finding& f = *view.findings.front();
  const std::optional<KnownGain> gain = known_gain(f.gain_ns, f.check);
  const double measured = view.advice.measured_ns.value;
  if (!gain || !(gain->ns.value > 0) || !(measured > 0)) return "";
  return "<p class=\"lever\">" +
         html_escape(
             fmt::format("Largest gain: {}, {} ({} of the latency), {}.", short_name(f.id),
                         duration(gain->ns.value), exports::percent_text(gain->ns.value / measured),
                         gain->achieved ? "achieved in a check: " + exports::state_words(*f.check)
                                        : "predicted, not measured")) +
         "</p>\n";
}

std::string head(const AdviceView& view) {
  const Advice& a = view.advice;
  const std::string run = fmt::format(
      "{} {} · {} · {} · ridge {}", printable(a.runtime), printable(a.runtime_version),
      counted(std::int64_t{a.threads}, "thread"), printable(a.host), printable(a.ridge));
  return fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}</p>\n", html_escape(printable(a.model)),
                     html_escape(run)) +
         "<div class=\"tiles\">\n" + latency_tile(a) +
         share_tile(a, a.achievable.sequential_ns, "achievable") +
         share_tile(a, a.kernel_bound.sequential_ns, "bound of these kernels") +
         share_tile(a, a.model_bound.time_ns, "bound of the model") + findings_tile(a) +
         "</div>\n" + best(view);
}

}  // namespace

std::string advice_notes_section(const AdviceView& view) {
  const std::vector<std::string>& notes = view.advice.notes;
  if (notes.empty()) return "";
  std::string out = "<ul class=\"notes\">\n";
  for (std::size_t i = 0; i < std::min(notes.size(), kMaxNotes); ++i)
    out += "<li>" + html_escape(printable(notes[i])) + "</li>\n";
  out += "</ul>\n";
  if (notes.size() > kMaxNotes)
    out += fmt::format("<p class=\"sub\">{} more left out.</p>\n",
                       counted(static_cast<std::int64_t>(notes.size() - kMaxNotes), "note"));
  return section("Notes", out);
}

std::string advice_page(const Advice& advice, const profile::Profile& run,
                        const roofline::Roofs& roofs) {
  const AdviceView view(advice, run, roofs);
  return page("ridge advise: " + printable(advice.model),
              head(view) + advice_figures_section(view) + advice_modules_section(view) +
                  advice_findings_section(view) + advice_roofline_section(view) +
                  advice_layers_section(view) + advice_notes_section(view),
              kFooterOfAdvice);
}

}  // namespace ridge::report
