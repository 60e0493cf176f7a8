// SPDX-License-Identifier: Apache-2.0
#include "scenario/peak_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ridge::scenario {
namespace {

/// Probes beyond the bracket, and how far one may be beyond the last.
constexpr int kMaxRefined = 3;
constexpr double kLongestStep = 1.05;

}  // namespace

bool keeps_no_rate(const Peak& peak) { return peak.end == PeakEnd::kNoneValid && !peak.undecided; }

std::string_view why_no_rate(const Peak& peak) {
  if (keeps_no_rate(peak)) return "no rate keeps the bound";
  if (peak.end != PeakEnd::kRunning) return "no rate was shown to keep the bound within the budget";
  return "the search was interrupted before a rate was shown to keep the bound";
}

ProbeResult probe_result(const Latencies& latencies, double share, std::int64_t bound_ns,
                         double seconds, std::int64_t unanswered, const IntervalOptions& options) {
  ProbeResult out;
  out.verdict = judge(latencies, share, bound_ns, unanswered, options);
  out.seconds = seconds;
  const std::int64_t queries = latencies.size() + unanswered;
  if (queries == 0) return out;
  out.late =
      static_cast<double>(latencies.late(bound_ns) + unanswered) / static_cast<double>(queries);
  out.effective = latencies.effective(bound_ns, options);
  return out;
}

Result<PeakSearch> PeakSearch::make(const PeakOptions& o) {
  const auto refuse = [](std::string_view what) {
    return input_error("RIDGE-SCEN-0020", fmt::format("a search for the peak needs {}", what));
  };
  if (!(o.min_rate > 0 && o.min_rate <= o.first_rate && o.first_rate <= o.max_rate &&
        o.max_rate <= 1e9))
    return refuse("0 < least rate <= first rate <= most rate <= 1e9");
  if (!(o.share > 0 && o.share < 1)) return refuse("a share between 0 and 1");
  if (!(o.resolution >= 1e-4 && o.resolution <= 0.5))
    return refuse("a resolution of 0.0001 to 0.5");
  if (o.queries < 1 || o.max_queries < o.queries || o.max_queries > 1'000'000'000'000)
    return refuse("1 <= queries <= most queries <= 10^12");
  if (!(o.budget_s > 0)) return refuse("a budget above 0 seconds");
  return PeakSearch(o);
}

PeakSearch::PeakSearch(const PeakOptions& options) : options_(options) {
  probe_ = {options.first_rate, options.queries, false};
}

std::optional<Probe> PeakSearch::next() const {
  if (peak_.end != PeakEnd::kRunning) return std::nullopt;
  return probe_;
}

void PeakSearch::report(const ProbeResult& result) {
  if (peak_.end != PeakEnd::kRunning) return;
  peak_.seconds += result.seconds;
  if (!probe_.prolonged) peak_.probes.emplace_back();
  ProbeRecord& record = peak_.probes.back();
  record.probe = probe_;
  const double before_s = record.result.seconds;
  record.result = result;
  record.result.seconds += before_s;
  if (result.verdict == Verdict::kUndecided && probe_.queries < options_.max_queries) {
    probe_.queries = std::min(probe_.queries * 2, options_.max_queries);
    probe_.prolonged = true;
  } else {
    const bool valid = result.verdict == Verdict::kValid;
    if (valid) peak_.rate = std::max(peak_.rate, probe_.rate);
    if (!valid && refined_ == 0) {
      peak_.invalid_rate = probe_.rate;
      peak_.undecided = result.verdict == Verdict::kUndecided;
    }
    peak_.estimate = crossing();
    go_on();
  }
  const double expected_s = static_cast<double>(probe_.queries) / probe_.rate;
  if (peak_.end == PeakEnd::kRunning && peak_.seconds + expected_s > options_.budget_s)
    peak_.end = PeakEnd::kBudget;
}

/// Where the line through (rate, ln late) crosses ln(1 - share), kept within the bracket of rates
/// that are decided.
double PeakSearch::crossing() const {
  constexpr double kFarthest = 1.3863;  // ln 4
  const double goal = std::log(1 - options_.share);
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0, least = peak_.rate, most = options_.max_rate;
  for (const ProbeRecord& record : peak_.probes) {
    const ProbeResult& r = record.result;
    if (r.verdict == Verdict::kInvalid) most = std::min(most, record.probe.rate);
    if (!(r.late > 0)) continue;
    const double height = std::log(r.late) - goal, weight = r.late * r.effective;
    if (std::abs(height) > kFarthest) continue;
    const double rate = record.probe.rate;
    weights += weight, x += weight * rate, y += weight * height;
    xx += weight * rate * rate, xy += weight * rate * height;
  }
  const double spread = weights * xx - x * x, slope = weights * xy - x * y;
  if (!(spread > 1e-12 * weights * xx) || !(slope > 0)) return peak_.rate;
  const double at = x / weights - y / weights * spread / slope;
  return std::clamp(at, least, std::max(least, most));
}

void PeakSearch::go_on() {
  const double low = peak_.rate, high = peak_.invalid_rate;
  if (high == 0 && low >= options_.max_rate) peak_.end = PeakEnd::kAllValid;
  if (low == 0 && high <= options_.min_rate) peak_.end = PeakEnd::kNoneValid;
  if (low > 0 && high > 0 && high <= low * (1 + options_.resolution)) return refine();
  probe_ = {0, options_.queries, false};
  if (high == 0)
    probe_.rate = std::min(low * 2, options_.max_rate);
  else if (low == 0)
    probe_.rate = std::max(high / 2, options_.min_rate);
  else
    probe_.rate = (low + high) / 2;
}

// An undecided probe may have ended the search well below the peak, and the line extrapolates then:
// measured where it points to, it interpolates.
void PeakSearch::refine() {
  const double measured = refined_ > 0 ? probe_.rate : peak_.invalid_rate;
  const double beyond = measured * (1 + options_.resolution);
  if (!peak_.undecided || peak_.estimate <= beyond || refined_ == kMaxRefined) {
    peak_.end = PeakEnd::kResolved;
    return;
  }
  ++refined_;
  probe_ = {std::min(peak_.estimate, measured * kLongestStep), options_.queries, false};
}

}  // namespace ridge::scenario
