#include "compare/evaluation_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/number.h"

namespace ridge::compare {
namespace {

constexpr std::array<std::string_view, 5> kFigures = {"accuracy", "changed", "latency",
                                                      "throughput", "preprocessing"};

/// A change relative to the baseline, 0 for none.
struct Found {
  double value = 0;
  std::optional<stats::Interval> interval;
};

std::optional<Found> of_ratio(const std::optional<Ratio>& ratio) {
  if (!ratio) return std::nullopt;
  Found out{ratio->ratio - 1, {}};
  if (ratio->interval)
    out.interval = stats::Interval{ratio->interval->lo - 1, ratio->interval->hi - 1};
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

Checked judge(const EvaluationLimit& limit, const std::string& label,
              const std::optional<Found>& found, Uncertain uncertain) {
  if (!found || !found->interval)
    return {true, fmt::format("{}: {} cannot be judged: {}", limit.text, label,
                              found ? "there are too few samples for an interval"
                                    : "one of both has no such figure")};
  const stats::Interval& ci = *found->interval;
  const std::string change = fmt::format("{}: {:+.1f} % [{:+.1f}, {:+.1f}] in {}", limit.text,
                                         100 * found->value, 100 * ci.lo, 100 * ci.hi, label);
  const bool beyond = limit.above ? ci.lo > limit.bound : ci.hi < limit.bound;
  if (beyond) return {true, change};
  const bool open = limit.above ? ci.hi > limit.bound : ci.lo < limit.bound;
  if (!open) return {false, change};
  if (uncertain == Uncertain::kFails) return {true, change + ": uncertain, fails"};
  return {false, change + ": uncertain, passes; fails with --fail-on-uncertain"};
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
  std::string_view bound = sign == text.npos ? "" : text.substr(sign + 1);
  if (!bound.ends_with('%')) return unreadable("write a figure, < or >, and a percentage: p99>5%");
  bound.remove_suffix(1);
  const auto percent = finite_number(bound);
  if (!percent) return unreadable("the bound is a percentage: accuracy<-1%");
  out.above = text[sign] == '>';
  out.bound = *percent / 100;
  out.figure = text.substr(0, sign);
  const auto percentile = out.figure.starts_with('p')
                              ? finite_number(std::string_view(out.figure).substr(1))
                              : std::nullopt;
  if (percentile) {
    out.figure = "latency";
    out.percentile = *percentile;
  }
  if (std::ranges::find(kFigures, out.figure) == kFigures.end())
    return unreadable("supported: accuracy, changed, latency, p99, throughput, preprocessing");
  return out;
}

std::vector<Checked> check(const EvaluationLimit& limit, const EvaluationComparison& comparison,
                           Uncertain uncertain) {
  std::vector<Checked> out;
  for (const EvaluationDifference& d : comparison.differences)
    out.push_back(judge(limit, comparison.runs[d.run].label, found_of(limit, d), uncertain));
  return out;
}

}  // namespace ridge::compare
