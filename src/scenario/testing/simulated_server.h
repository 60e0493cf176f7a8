// SPDX-License-Identifier: Apache-2.0
// A queue with Poisson arrivals on a simulated clock, whose percentiles are known: the test bench
// of intervals and of the search for the largest rate.
//
//   SimulatedServer server({.service = Service::kExponential, .rate = 0.7}, seed);
//   server.latencies(10'000);               // starts empty: not yet stationary
//   server.latencies(100'000);
//
// Rates and times are in units of the mean service time, which is 1 ms. Thread rule: one thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "scenario/arrivals.h"
#include "scenario/exact_random.h"
#include "scenario/testing/lindley.h"

namespace ridge::scenario::testing {

enum class Service : std::uint8_t { kExponential, kConstant };

inline constexpr double kServiceNs = 1e6;

/// Interruptions of 100 service times, one in 2,000 queries on average.
enum class Stalling : std::uint8_t {
  kNone,
  kRegular,  ///< all work stops, at even distances
  kRandom,   ///< each query is served for longer with the same probability
};

inline constexpr double kStallLength = 100, kStallQueries = 2000;

struct SimulatedLoad {
  Service service = Service::kExponential;
  double rate = 0.5;  ///< arrivals per mean service time, below 1
  Stalling stalls = Stalling::kNone;
};

class SimulatedServer {
 public:
  SimulatedServer(const SimulatedLoad& load, std::uint64_t seed)
      : load_(load),
        random_(seed * 2 + 1),
        arrivals_(make_arrivals(Poisson{.rate = load.rate * 1e9 / kServiceNs}, seed * 2).value()),
        queue_(stalls_of(load)) {
    if (load.stalls == Stalling::kRegular)
      begin_ = static_cast<std::int64_t>(random_.uniform() *
                                         static_cast<double>(stalls_of(load).period_ns));
  }

  std::vector<std::int64_t> latencies(std::size_t count) {
    std::vector<std::int64_t> out(count);
    for (std::int64_t& latency : out) {
      double work = load_.service == Service::kConstant ? 1 : exponential(random_);
      if (load_.stalls == Stalling::kRandom && random_.uniform() < 1 / kStallQueries)
        work += kStallLength;
      const std::int64_t at = begin_ + arrivals_->next();
      latency = queue_.serve(at, static_cast<std::int64_t>(work * kServiceNs)) - at;
    }
    return out;
  }

 private:
  static Stalls stalls_of(const SimulatedLoad& load) {
    if (load.stalls != Stalling::kRegular) return {};
    return {static_cast<std::int64_t>(kStallQueries / load.rate * kServiceNs),
            static_cast<std::int64_t>(kStallLength * kServiceNs)};
  }

  SimulatedLoad load_;
  stats::Random random_;
  std::unique_ptr<Arrivals> arrivals_;
  Queue queue_;
  std::int64_t begin_ = 0;
};

/// P(time in the system <= t service times). Exponential service: an exponential time of mean
/// 1 / (1 - rate). Constant service: one more than the waiting time, P(waiting <= w) = (1 - rate) x
/// the sum over k <= w of (rate (k - w))^k / k! x exp(rate (w - k)) (Erlang 1909; Gross, Shortle,
/// Thompson and Harris, Fundamentals of Queueing Theory, 4th ed., section 5.1.5). The terms
/// alternate: for t up to about 30.
inline double within(const SimulatedLoad& load, double t) {
  if (load.service == Service::kExponential) return 1 - std::exp(-(1 - load.rate) * t);
  const long double w = static_cast<long double>(t) - 1, rate = load.rate;
  long double sum = 0, factorial = 1;
  for (int k = 0; k <= w; ++k) {
    if (k > 0) factorial *= k;
    const long double x = rate * (k - w);
    sum += std::pow(x, static_cast<long double>(k)) / factorial * std::exp(-x);
  }
  return static_cast<double>((1 - rate) * sum);
}

/// Quantile of the time in the system, in service times, by bisection of within().
inline double known_quantile(const SimulatedLoad& load, double share) {
  double low = 0, high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (within(load, middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace ridge::scenario::testing
