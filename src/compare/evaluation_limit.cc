// SPDX-License-Identifier: Apache-2.0
#include "compare/evaluation_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/number.h"
#include "base/numeral.h"

namespace ridge::compare {
namespace {

/// Form in which a figure is written.
enum class Form : std::uint8_t {
  kChange,   ///< change from the baseline: "+5.0 %"
  kShare,    ///< share of the samples, of an output: "99.2 %"
  kNats,     ///< divergence of an output: "0.0123"
  kLargest,  ///< largest difference of an output, without an interval
};

struct KnownFigure {
  std::string_view name;
  Form form;
};
constexpr KnownFigure kLimitedFigures[] = {{"accuracy", Form::kChange},
                                           {"changed", Form::kChange},
                                           {"latency", Form::kChange},
                                           {"throughput", Form::kChange},
                                           {"preprocessing", Form::kChange},
                                           {"agreement", Form::kShare},
                                           {"kl", Form::kNats},
                                           {"js", Form::kNats},
                                           {"difference", Form::kLargest}};

const KnownFigure* known(std::string_view name) {
  const auto at = std::ranges::find(kLimitedFigures, name, &KnownFigure::name);
  return at == std::end(kLimitedFigures) ? nullptr : &*at;
}

/// A figure of a run, or of an output.
using Found = stats::Estimate;

std::optional<Found> of_ratio(const std::optional<Ratio>& ratio) {
  if (!ratio) return std::nullopt;
  Found out = ratio->ratio;
  out.value -= 1;
  if (out.interval) out.interval = {out.low() - 1, out.high() - 1};
  return out;
}

std::optional<Found> found_of(const EvaluationLimit& limit, const EvaluationDifference& d) {
  if (limit.figure == "accuracy" && d.accuracy)
    return Found{d.accuracy->difference.value, d.accuracy->difference.interval};
  if (limit.figure == "changed" && d.changed) return Found{d.changed->value, d.changed->interval};
  if (limit.figure == "throughput") return of_ratio(d.completed);
  if (limit.figure == "preprocessing") return of_ratio(d.prepare);
  if (limit.figure != "latency") return std::nullopt;
  const auto at = std::ranges::find(d.latency, limit.percentile, &LatencyRatio::percentile);
  return at == d.latency.end() ? std::nullopt : of_ratio(at->ratio);
}

Found found_of(const EvaluationLimit& limit, const accuracy::DivergenceFigures& f) {
  if (limit.figure == "difference") return {f.largest_absolute.value, {}};
  const accuracy::Figure& figure = limit.figure == "agreement" ? f.agreement
                                   : limit.figure == "kl"      ? f.kullback_leibler
                                                               : f.jensen_shannon;
  return {figure.value, figure.interval};
}

/// "+5.0 % [+4.1, +6.0]", "0.0123 [0.0101, 0.0150]", "0.5"
std::string text_of(const Found& found, Form form) {
  const auto number = [&](double v) {
    if (form == Form::kChange) return fmt::format("{:+.1f}", 100 * v);
    return form == Form::kShare ? fmt::format("{:.2f}", 100 * v) : significant(v, 3);
  };
  std::string out = number(found.value);
  if (form == Form::kChange || form == Form::kShare) out += " %";
  if (found.interval)
    out += fmt::format(" [{}, {}]", number(found.interval->lo), number(found.interval->hi));
  return out;
}

/// `where`: the label of the run, and the output.
Checked judge_limit(const EvaluationLimit& limit, const std::string& where,
                    const std::optional<Found>& found, Uncertain uncertain) {
  const auto unjudged = [&](std::string_view why) {
    return Checked{true, fmt::format("{}: {} cannot be judged: {}", limit.text, where, why)};
  };
  if (!found) return unjudged("one of both has no such figure");
  const Form form = known(limit.figure)->form;
  const std::string text = fmt::format("{}: {} in {}", limit.text, text_of(*found, form), where);
  // Not a number is beyond every bound.
  if (form == Form::kLargest)
    return {!(limit.above ? found->value <= limit.bound : found->value >= limit.bound), text};
  if (std::isinf(found->value)) return {limit.above, text};
  const auto open_as = [&](std::string_view why) -> Checked {
    if (uncertain == Uncertain::kFails) return {true, fmt::format("{}: {}, fails", text, why)};
    return {false, fmt::format("{}: {}, passes; fails with --fail-on-uncertain", text, why)};
  };
  if (!found->interval) return open_as("uncertain, too few samples for an interval");
  const stats::Interval& ci = *found->interval;
  if (limit.above ? ci.lo > limit.bound : ci.hi < limit.bound) return {true, text};
  const bool open = limit.above ? ci.hi > limit.bound : ci.lo < limit.bound;
  return open ? open_as("uncertain") : Checked{false, text};
}

void check_outputs(const EvaluationLimit& limit, const EvaluationDifference& d,
                   const std::string& label, Uncertain uncertain, std::vector<Checked>& out) {
  const std::size_t before = out.size();
  const bool of_scores = known(limit.figure)->form != Form::kLargest;
  for (const accuracy::OutputDivergence& output : d.outputs) {
    const std::string where = fmt::format("output '{}' of {}", output.output, label);
    if (!output.comparable)
      out.push_back(
          {true, fmt::format("{}: {} cannot be judged: it differs in size", limit.text, where)});
    else if (!of_scores || output.kind != accuracy::Outputs::kPlain)
      out.push_back(judge_limit(limit, where, found_of(limit, output.figures), uncertain));
  }
  if (out.size() == before) out.push_back(judge_limit(limit, label, std::nullopt, uncertain));
}

}  // namespace

Result<EvaluationLimit> parse_evaluation_limit(std::string_view text) {
  const auto unreadable = [&](std::string hint) {
    return usage_error("RIDGE-CMP-0023",
                       fmt::format("'{}' is not a valid limit for evaluations", text))
        .hint(std::move(hint));
  };
  EvaluationLimit out;
  out.text = text;
  const std::size_t sign = text.find_first_of("<>");
  if (sign == text.npos) return unreadable("write a figure, < or >, and a bound: p99>5%");
  out.above = text[sign] == '>';
  out.figure = text.substr(0, sign);
  const auto percentile = out.figure.starts_with('p')
                              ? finite_number(std::string_view(out.figure).substr(1))
                              : std::nullopt;
  if (percentile) {
    out.figure = "latency";
    out.percentile = *percentile;
  }
  const KnownFigure* const figure = known(out.figure);
  if (figure == nullptr)
    return unreadable(
        "supported: accuracy, changed, latency, p99, throughput, preprocessing, agreement, kl, js, "
        "difference");
  const bool percentage = figure->form == Form::kChange || figure->form == Form::kShare;
  std::string_view bound = text.substr(sign + 1);
  if (bound.ends_with('%') != percentage)
    return unreadable(percentage ? "the bound is a percentage: accuracy<-1%"
                                 : "the bound is a number without %: kl>0.01");
  if (percentage) bound.remove_suffix(1);
  const auto number = finite_number(bound);
  if (!number)
    return unreadable(percentage ? "the bound is a percentage: accuracy<-1%"
                                 : "the bound is a number: kl>0.01");
  out.bound = percentage ? *number / 100 : *number;
  return out;
}

std::vector<Checked> check(const EvaluationLimit& limit, const EvaluationComparison& comparison,
                           Uncertain uncertain) {
  std::vector<Checked> out;
  const bool of_run = known(limit.figure)->form == Form::kChange;
  for (const EvaluationDifference& d : comparison.differences) {
    const std::string& label = comparison.runs[d.run].label;
    if (of_run)
      out.push_back(judge_limit(limit, label, found_of(limit, d), uncertain));
    else
      check_outputs(limit, d, label, uncertain, out);
  }
  return out;
}

}  // namespace ridge::compare
