// SPDX-License-Identifier: Apache-2.0
// The largest rate of queries that a server takes within a latency bound: a search that says what
// to measure next, and is told the outcome. It neither measures nor reads a clock.
//
//   PeakSearch search = TRY(PeakSearch::make({.first_rate = 100, .share = 0.99}));
//   while (const std::optional<Probe> probe = search.next()) {
//     ... run probe->queries queries at probe->rate per second ...
//     search.report(probe_result(latencies, 0.99, bound_ns, seconds));
//   }
//   search.result().estimate;
//
// Rates are doubled until one is invalid (or halved until one is valid), then the bracket is halved
// until its ends differ by at most the resolution. A probe that is undecided is prolonged to twice
// the queries, up to a limit; what is undecided even then counts as invalid, and is reported.
//
// The peak lies between `rate`, the largest valid one below all invalid ones, and the smallest that
// is decidedly invalid, as surely as the verdicts are right. `rate` is on the safe side: just below
// the peak no number of queries decides. `estimate` is unbiased: where the line through the
// logarithms of the measured late shares over the rates, by least squares weighted with their
// effective numbers of late queries, crosses the share that may be late. The line is exact for
// M/M/1, where ln P(late) = -(mu - lambda) x bound, and takes shares up to four times away. If it
// lies beyond an undecided probe that ended the search, up to three more are measured there.
//
// Errors: options out of range, RIDGE-SCEN-0020, input class. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "scenario/percentiles.h"

namespace ridge::scenario {

struct PeakOptions {
  double first_rate = 1;                   ///< queries per second
  double min_rate = 1e-3, max_rate = 1e7;  ///< ends of the search
  double share = 0.99;                     ///< least share of the queries within the bound
  double resolution = 0.01;                ///< relative width of the last bracket, 1e-4 to 0.5
  std::int64_t queries = 20'000;           ///< number for a probe at first
  std::int64_t max_queries = 640'000;      ///< limit for a prolonged probe
  double budget_s = 1e9;                   ///< total of the probes' durations
};

struct Probe {
  double rate = 0;           ///< queries per second
  std::int64_t queries = 0;  ///< in total: if prolonged, those measured already included
  bool prolonged = false;    ///< the previous probe with more queries: may go on from there
};

struct ProbeResult {
  Verdict verdict = Verdict::kUndecided;
  double seconds = 0;    ///< spent since next()
  double late = 0;       ///< share of the queries beyond the bound
  double effective = 0;  ///< number of independent queries that tell as much
};

/// `unanswered` queries failed, or were due and not issued: they are late, and make it invalid.
ProbeResult probe_result(const Latencies& latencies, double share, std::int64_t bound_ns,
                         double seconds, std::int64_t unanswered = 0,
                         const IntervalOptions& options = {});

/// Measurement at one rate.
struct ProbeRecord {
  Probe probe;         ///< with the last number of queries
  ProbeResult result;  ///< verdict over all these queries; total seconds
};

enum class PeakEnd : std::uint8_t {
  kRunning,
  kResolved,   ///< the bracket is as narrow as asked for
  kBudget,     ///< the next probe would exceed the budget
  kNoneValid,  ///< not even min_rate is valid
  kAllValid,   ///< even max_rate is valid
};

struct Peak {
  double rate = 0;          ///< largest valid; 0 if none
  double estimate = 0;      ///< unbiased; without enough probes near it `rate`
  double invalid_rate = 0;  ///< smallest that is invalid or remained undecided; 0 if none
  bool undecided = false;   ///< invalid_rate is one that remained undecided
  PeakEnd end = PeakEnd::kRunning;
  double seconds = 0;
  std::vector<ProbeRecord> probes;
};

/// True if a search showed that not even the lowest rate keeps the bound.
bool keeps_no_rate(const Peak& peak);
/// Reason why a search found no rate.
std::string_view why_no_rate(const Peak& peak);

class PeakSearch {
 public:
  static Result<PeakSearch> make(const PeakOptions& options);

  /// Returns what to measure; nullopt at the end. The same until report() is called.
  std::optional<Probe> next() const;
  void report(const ProbeResult& result);

  const Peak& result() const { return peak_; }

 private:
  explicit PeakSearch(const PeakOptions& options);
  void go_on();
  double crossing() const;
  void refine();

  PeakOptions options_;
  Probe probe_;
  Peak peak_;
  int refined_ = 0;  ///< probes for the estimate alone
};

}  // namespace ridge::scenario
