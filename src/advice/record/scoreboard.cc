// SPDX-License-Identifier: Apache-2.0
#include "advice/record/scoreboard.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "advice/record/verdict.h"
#include "stats/proportion.h"

namespace ridge::advice {
namespace {

using profile::CheckedFinding;
using stats::Estimate;

/// Kind, host, runtime.
using RowKey = std::tuple<std::string, std::string, std::string>;
RowKey row_of(const CheckedFinding& c) { return {c.kind, c.host, c.runtime}; }

/// Equal for checks of one finding that were made again.
using FindingKey = std::tuple<RowKey, std::string, std::string, std::uint32_t, std::string>;
FindingKey scored_finding(const CheckedFinding& c) {
  return {row_of(c), c.point, c.graph_hash, c.threads, c.finding};
}

bool is_judged(const CheckedFinding& c) { return c.state != profile::CheckState::kNotJudged; }

bool is_comparable(const CheckedFinding& c) {
  return is_judged(c) && std::isfinite(c.predicted_ns.value) && std::isfinite(c.gain_ns.value) &&
         std::isfinite(c.before_ns.value) && c.before_ns.value > 0;
}

/// Distance of an end of an interval from its median; 0 if it is unknown or on the other side.
double reach(double from, double to) {
  return std::isfinite(from) && std::isfinite(to) ? std::max(0.0, to - from) : 0;
}
double below(const Estimate& e) { return reach(e.low(), e.value); }
double above(const Estimate& e) { return reach(e.value, e.high()); }

/// True if the interval of gain - predicted includes 0. Example: 4 (3 to 5) predicted and 5.2 (4.2
/// to 6.2) measured agree, since 1.2 is less than sqrt(1 + 1).
bool agrees(const Estimate& predicted, const Estimate& gain) {
  const double difference = gain.value - predicted.value;
  const double reach = difference > 0 ? std::hypot(below(gain), above(predicted))
                                      : std::hypot(above(gain), below(predicted));
  return std::abs(difference) <= reach;
}

void add(Share& share, bool success) {
  ++share.of;
  if (success) ++share.count;
}

/// A score, and the errors whose median it gets.
struct Sum {
  Score score;
  std::vector<double> errors;

  void count(const CheckedFinding& c) {
    ++score.checks;
    if (is_judged(c)) ++score.judged;
  }

  void compare(const CheckedFinding& c) {
    const double predicted = c.predicted_ns.value, gain = c.gain_ns.value;
    const double latency = c.before_ns.value, error = std::abs(predicted - gain);
    ++score.predicted;
    if (std::isfinite(c.predicted_ns.low()) && std::isfinite(c.predicted_ns.high())) {
      add(score.covered, agrees(c.predicted_ns, c.gain_ns));
      add(score.inside, c.predicted_ns.low() <= gain && gain <= c.predicted_ns.high());
    }
    const bool unpredictable = c.prediction == profile::Prediction::kUnpredictable;
    add(score.unpredictable, unpredictable);
    if (unpredictable) return;
    add(score.within, is_within(predicted, gain, latency));
    if (std::abs(predicted) > kSignOfLatency * latency)
      add(score.sign_right, predicted > 0 ? gain > 0 : gain < 0);
    errors.push_back(error == 0 ? 0 : error / std::abs(gain));
  }

  Score finished() {
    if (!errors.empty()) score.median_error = stats::median(errors);
    return std::move(score);
  }
};

/// The newest comparable check of each finding, and how often each was checked.
struct Newest {
  const CheckedFinding* check = nullptr;
  std::int64_t checks = 0;
};
std::map<FindingKey, Newest> newest_of(std::span<const CheckedFinding> checks) {
  std::map<FindingKey, Newest> out;
  for (const CheckedFinding& c : checks) {
    if (!is_comparable(c)) continue;
    Newest& newest = out[scored_finding(c)];
    ++newest.checks;
    if (!newest.check || newest.check->recorded_s <= c.recorded_s) newest.check = &c;
  }
  return out;
}

}  // namespace

double Share::value() const {
  return of > 0 ? static_cast<double>(count) / static_cast<double>(of)
                : std::numeric_limits<double>::quiet_NaN();
}

std::optional<stats::Interval> Share::interval() const {
  return stats::wilson_interval(count, of, 0.95);
}

Scoreboard scoreboard(std::span<const CheckedFinding> checks) {
  std::map<RowKey, Sum> rows;
  Sum total;
  for (const CheckedFinding& c : checks)
    for (Sum* sum : {&rows[row_of(c)], &total}) sum->count(c);
  for (const auto& [key, newest] : newest_of(checks))
    for (Sum* sum : {&rows[row_of(*newest.check)], &total}) {
      sum->score.repeated += newest.checks - 1;
      sum->compare(*newest.check);
    }
  Scoreboard out;
  for (auto& [key, sum] : rows) {
    const auto& [kind, host, runtime] = key;
    out.rows.push_back({kind, host, runtime, sum.finished()});
  }
  out.total = total.finished();
  return out;
}

std::string confidence(const Score& score) {
  const std::optional<stats::Interval> interval = score.within.interval();
  if (score.within.of < kMinPredictions || !interval) return "";
  if (interval->lo > 0.5) return "high";
  return interval->hi < 0.5 ? "low" : "medium";
}

std::string confidence(const Scoreboard& board, std::string_view kind, std::string_view host,
                       std::string_view runtime) {
  const auto found = std::ranges::find_if(board.rows, [&](const ScoreRow& row) {
    return row.kind == kind && row.host == host && row.runtime == runtime;
  });
  return found == board.rows.end() ? "" : confidence(found->score);
}

}  // namespace ridge::advice
