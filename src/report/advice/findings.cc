// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/record/output_words.h"
#include "base/text.h"
#include "export/advice/words.h"
#include "export/analysis/figure_text.h"
#include "report/advice/gain_plot.h"
#include "report/advice/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using advice::CheckState;
using advice::Finding;

constexpr std::size_t kOpen = 3;       ///< findings that are expanded at first
constexpr std::size_t kMaxPieces = 6;  ///< changed pieces that are listed

/// Benanza's questions (Li et al., IPDPS 2020), in the words of ridge.advice/1.
struct Question {
  std::string_view id, text;
};
constexpr Question kQuestions[] = {{"Q1", "distance to what is possible"},
                                   {"Q2", "independent branches"},
                                   {"Q3", "slower implementations"},
                                   {"Q4", "time for what is not needed"},
                                   {"Q5", "missed fusions"},
                                   {"Q6", "a narrower type"}};

std::string question_text(const std::string& id) {
  for (const Question& q : kQuestions)
    if (q.id == id) return fmt::format("{}: {}", q.id, q.text);
  return id;
}

/// CSS class that other pages have for such a verdict.
std::string_view check_css(const std::optional<advice::Check>& check) {
  if (!check) return "unjudged";
  switch (check->state) {
    case CheckState::kGained:
      return "faster";
    case CheckState::kLost:
      return "slower";
    case CheckState::kNoDifference:
      return "same";
    case CheckState::kNotJudged:
      break;
  }
  return "unjudged";
}

Gains gains_of(const std::optional<stats::Estimate>& predicted,
               const std::optional<advice::Check>& check) {
  return {.predicted = predicted,
          .achieved = check ? std::optional(check->gain_ns) : std::nullopt,
          .css = check_css(check)};
}

std::string span(std::string_view css, std::string_view text) {
  return fmt::format("<span class=\"{}\">{}</span>", css, html_escape(text));
}

std::string gain_cell(const std::optional<stats::Estimate>& gain, std::string_view otherwise) {
  const bool known = gain && std::isfinite(gain->value);
  return fmt::format("<span class=\"n\" data-v=\"{}\">{}</span>",
                     known ? fmt::format("{:.9g}", gain->value) : "",
                     html_escape(known ? duration(gain->value) : std::string(otherwise)));
}

std::string check_words(const std::optional<advice::Check>& check) {
  if (!check) return "not checked";
  return exports::state_words(*check) + (check->broken ? ", outputs differ" : "");
}

std::string check_details(const advice::Check& check) {
  std::string out = check_words(check);
  if (std::isfinite(check.before_ns.value) && std::isfinite(check.after_ns.value))
    out += fmt::format(": {} before, {} after", exports::estimate_text(check.before_ns),
                       exports::estimate_text(check.after_ns));
  if (!check.reason.empty()) out += "; " + printable(check.reason);
  return out;
}

std::string raw_entry(std::string_view term, const std::string& markup) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escape(term), markup);
}

class FindingLines {
 public:
  FindingLines(const AdviceView& view, const GainPlot& plot) : view_(view), plot_(plot) {}

  static std::string head(const GainPlot& plot) {
    return "<div class=\"leaf head\">" + span("path", "finding") + span("n", "predicted gain") +
           span("n", "achieved gain") + plot.axis() + span("n", "of latency") + span("", "check") +
           "</div>\n";
  }

  std::string line(std::string_view name, std::string_view kind,
                   const std::optional<stats::Estimate>& predicted,
                   const std::optional<advice::Check>& check) const {
    const Gains gains = gains_of(predicted, check);
    const std::optional<KnownGain> gain = known_gain(predicted, check);
    std::string out = fmt::format("<span class=\"path\">{} <small>{}</small></span>",
                                  html_escape(short_name(name)), html_escape(short_name(kind)));
    out += gain_cell(gains.predicted, "unknown") +
           gain_cell(gains.achieved, check ? "unknown" : "not checked") + plot_.plot(gains);
    return out + span("n", share(gain)) +
           span(fmt::format("verdict {}", gains.css), check_words(check));
  }

  std::string inside(const Finding& f) const {
    std::string out = "<div class=\"inside\"><dl>\n" + entry("evidence", printable(f.evidence));
    if (!f.how.empty()) out += entry("repair", printable(f.how));
    if (!f.command.empty())
      out += raw_entry("command",
                       "<code class=\"command\">" + html_escape(printable(f.command)) + "</code>");
    out += entry("predicted gain", predicted_text(f)) + changed(f.changed);
    if (!f.confidence.empty()) out += entry("confidence", printable(f.confidence));
    out += checked(f.check);
    if (!f.effect.empty()) out += entry("outputs", printable(advice::outputs_words(f)));
    if (!f.nodes.empty())
      out += raw_entry(counted(std::ssize(f.nodes), "node"), view_.node_links(f.nodes));
    if (!f.question.empty()) out += entry("question", question_text(f.question));
    return out + entry("kind", f.kind) + "</dl></div>";
  }

  std::string inside(const advice::Joint& joint) const {
    std::string names;
    for (const std::string& id : joint.ids) names += (names.empty() ? "" : ", ") + short_name(id);
    std::string out = "<div class=\"inside\"><dl>\n" + entry("edits", names);
    out += entry("predicted gain",
                 joint.gain_ns
                     ? exports::predicted_gain_text(*joint.gain_ns, view_.advice.measured_ns.value)
                     : "unknown");
    return out + checked(joint.check) + "</dl></div>";
  }

 private:
  std::string share(const std::optional<KnownGain>& gain) const {
    const double measured = view_.advice.measured_ns.value;
    if (!gain || !(measured > 0)) return "?";
    return exports::percent_text(gain->ns.value / measured);
  }

  /// Where the predicted gain arises.
  std::string changed(const std::vector<advice::ChangedPiece>& pieces) const {
    if (pieces.empty()) return "";
    std::string out;
    for (std::size_t i = 0; i < std::min(pieces.size(), kMaxPieces); ++i) {
      const advice::ChangedPiece& p = pieces[i];
      out +=
          fmt::format("<div>{} → {}: {}</div>", duration(p.before_ns), duration(p.after_ns),
                      p.nodes.empty() ? "kernels of the runtime's own" : view_.node_links(p.nodes));
    }
    if (pieces.size() > kMaxPieces)
      out += fmt::format("<div>and {} more</div>", pieces.size() - kMaxPieces);
    return raw_entry("changed pieces, run → bricks", out);
  }

  std::string predicted_text(const Finding& f) const {
    if (f.gain_ns) return exports::predicted_gain_text(*f.gain_ns, view_.advice.measured_ns.value);
    return f.no_price.empty() ? "unknown" : "unknown: " + printable(f.no_price);
  }

  static std::string checked(const std::optional<advice::Check>& check) {
    if (!check) return entry("check", "not checked");
    std::string out = entry("check", check_details(*check));
    out += entry("achieved gain", exports::estimate_text(check->gain_ns));
    if (const std::string_view words = exports::prediction_words(*check); !words.empty())
      out += entry("prediction", words);
    if (check->outputs)
      out += entry("outputs compared", printable(advice::compared_words(*check->outputs)));
    if (check->broken)
      out += entry("warning", "the outputs differ although they should stay the same");
    return out;
  }

  const AdviceView& view_;
  const GainPlot& plot_;
};

std::vector<TreeRow> finding_rows(const AdviceView& view, const FindingLines& lines) {
  std::vector<TreeRow> rows;
  for (const Finding* f : view.findings) {
    const std::size_t i = rows.size();
    rows.push_back({.line = lines.line(f->id, f->kind, f->gain_ns, f->check),
                    .inside = lines.inside(*f),
                    .attributes = fmt::format(" id=\"finding-{}\" class=\"group\"", i),
                    .open = i < kOpen});
  }
  if (const std::optional<advice::Joint>& joint = view.advice.joint)
    rows.push_back({.line = lines.line(fmt::format("all {} together", joint->ids.size()),
                                       "gains do not add up", joint->gain_ns, joint->check),
                    .inside = lines.inside(*joint),
                    .attributes = " id=\"finding-together\" class=\"group\"",
                    .open = true});
  return rows;
}

GainPlot plot_of(const AdviceView& view) {
  std::vector<Gains> gains;
  for (const Finding* f : view.findings) gains.push_back(gains_of(f->gain_ns, f->check));
  if (const auto& joint = view.advice.joint)
    gains.push_back(gains_of(joint->gain_ns, joint->check));
  return GainPlot(gains);
}

constexpr std::string_view kNone =
    "<p class=\"lever same\">No findings: no edit that ridge knows changes the kernels of this "
    "model here, and no option or observation stands out.</p>\n";

}  // namespace

std::string advice_findings_section(const AdviceView& view) {
  if (view.findings.empty() && !view.advice.joint) return section("Findings", kNone.data());
  const GainPlot plot = plot_of(view);
  const FindingLines lines(view, plot);
  std::string out =
      "<p class=\"sub\">Largest gain first: the achieved one where a check measured it, else the "
      "predicted one. A gain is the latency before less the latency after; whiskers are 95 % "
      "intervals. Gains of findings that concern the same layers or processors do not add "
      "up.</p>\n" +
      legend({"node", "layer", "brick"}) +
      "<p class=\"keys\"><span class=\"key predicted\">predicted from bricks: hollow, dashed, "
      "above</span><span class=\"key achieved\">achieved in a check: full, below</span></p>\n";
  out += fmt::format(
      "<div class=\"scroll\" style=\"--columns:minmax(200px,1fr) 104px 104px 220px 80px "
      "130px;--least:900px\">\n<div class=\"cmp\" id=\"findings\">\n{}{}</div></div>\n",
      FindingLines::head(plot), tree(finding_rows(view, lines)));
  if (const std::size_t all = view.advice.findings.size(); all > view.findings.size())
    out += fmt::format("<p class=\"sub\">{} with less gain left out.</p>\n",
                       counted(static_cast<std::int64_t>(all - view.findings.size()), "finding"));
  return section("Findings", out);
}

}  // namespace ridge::report
