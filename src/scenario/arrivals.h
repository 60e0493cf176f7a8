// SPDX-License-Identifier: Apache-2.0
// Times at which queries are scheduled, drawn one by one: memory does not grow with their number.
//
//   const auto arrivals = TRY(make_arrivals(Poisson{.rate = 250}, seed));
//   for (std::int64_t ns = arrivals->next(); ns < end_ns; ns = arrivals->next()) ...
//
// Times are nanoseconds from the start of the schedule, in ascending order; kNever once a schedule
// has ended, and from then on. The same specification and seed give the same times on every
// machine. Gaps are summed in units of 2^-40 ns, and only a copy of the sum is rounded to whole
// nanoseconds, so that the sum is off by at most 2^-40 ns per arrival and 2^-52 of itself: 1 ns
// after 10^9 arrivals in an hour. Random processes start in their stationary state: the first
// arrival comes after the first gap; Constant's first arrival is at 0.
//
// Errors: input class, RIDGE-SCEN-0001, for a number out of range. Thread rule: one thread.
// Cost: about 50 ns per arrival, 0.5 us for Gamma.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <variant>
#include <vector>

#include "base/result.h"

namespace ridge::scenario {

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// Limits of a mean rate, per second.
inline constexpr double kMinRate = 1e-4, kMaxRate = 1e9;

class Arrivals {
 public:
  virtual ~Arrivals() = default;
  virtual std::int64_t next() = 0;
};

/// Evenly spaced: arrival i at i / rate.
struct Constant {
  double rate = 1;  ///< per second
};

/// Independent exponential gaps.
struct Poisson {
  double rate = 1;
};

/// Independent gaps of the gamma distribution with mean 1 / rate. The squared coefficient of
/// variation is 1 / shape: 1 is Poisson, below 1 burstier, above 1 more regular. 0.01 to 1000.
struct Gamma {
  double rate = 1, shape = 1;
};

/// Markov-modulated Poisson process of two states: Poisson at `quiet_rate` for exponentially
/// distributed times of mean `quiet_s`, then at `burst_rate` for times of mean `burst_s`, and so on
/// (Fischer and Meier-Hellstern 1993, Performance Evaluation 18:149).
struct Bursty {
  double quiet_rate = 0, burst_rate = 1;  ///< per second; either may be 0, not both
  double quiet_s = 1, burst_s = 1;        ///< 1e-6 to 1e6

  /// Arrivals per second over a long time.
  double mean_rate() const;
};

/// Recorded times (trace_file.h), counted from the first.
struct Replay {
  std::vector<std::int64_t> times_ns;  ///< ascending, not empty
  double speed = 1;                    ///< 2: gaps are halved. 1e-6 to 1e6
  std::uint32_t rounds = 1;            ///< times the trace is played, one mean gap between rounds
};

using ArrivalProcess = std::variant<Constant, Poisson, Gamma, Bursty, Replay>;

Result<std::unique_ptr<Arrivals>> make_arrivals(ArrivalProcess process, std::uint64_t seed);

}  // namespace ridge::scenario
