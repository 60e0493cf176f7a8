// Evaluations with invented queries, for tests of the page.
//
//   const Evaluated e(5000);
//   evaluation_page(e.view());
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "report/evaluation/view.h"
#include "stats/random.h"

namespace ridge::report::testing {

/// Exponential of mean 1.
inline double exponential(stats::Random& random) {
  return -std::log((static_cast<double>(random.below(1U << 30U)) + 1) / double(1U << 30U));
}

/// A queue with one server, Poisson arrivals at 80 per second, and service of 8 ms and more.
inline scenario::Load queued(std::size_t queries, double service_ns, std::uint64_t seed) {
  stats::Random random(seed);
  scenario::Load out{.queries = {}, .begun_ns = 7'000'000'000};
  double at = 7e9, free = 7e9;
  for (std::size_t i = 0; i < queries; ++i) {
    at += exponential(random) * 1.25e7;
    const double issued = std::max(at, free) + 800;
    free = issued + service_ns * (1 + 0.05 * exponential(random)) + (i % 211 == 100 ? 1e8 : 0);
    out.queries.push_back({.scheduled_ns = static_cast<std::int64_t>(at),
                           .issued_ns = static_cast<std::int64_t>(issued),
                           .done_ns = static_cast<std::int64_t>(free),
                           .late_ns = static_cast<std::uint32_t>(exponential(random) * 700),
                           .sample = static_cast<std::uint32_t>(random.below(64)) & 0x3fU});
  }
  out.ended_ns = static_cast<std::int64_t>(free);
  return out;
}

/// Two runtimes under a server's load, with everything that a page can show.
struct Evaluated {
  scenario::Scenario scenario{.kind = scenario::Kind::kServer,
                              .arrivals = scenario::Poisson{.rate = 80}};
  scenario::LatencyBound bound{.percentile = 0.99, .latency_ns = 120'000'000};
  std::vector<scenario::Load> loads;
  std::vector<scenario::Figures> figures;
  std::vector<scenario::Validity> validities;

  explicit Evaluated(std::size_t queries) {
    for (const double service_ns : {6e6, 8.5e6}) {
      loads.push_back(queued(queries, service_ns, 3));
      figures.push_back(scenario::figures_of(scenario, loads.back(), bound));
      validities.push_back(scenario::validity_of(scenario, loads.back(), figures.back(), bound));
    }
  }

  /// Borrows this.
  EvaluationView view(const std::string& name = "resnet50.onnx") const {
    EvaluationView out{.model = name,
                       .host = "lab · processor, 2 processors",
                       .ridge = "1.0",
                       .data = "photographs",
                       .scenario = scenario,
                       .bound = bound,
                       .load = true,
                       .find_peak = true,
                       .steps = {{"decode", 2.1e6, 2e6, 64},
                                 {"resize", 1.4e6, 1.3e6, 64},
                                 {"normalize", 0.2e6, 0.2e6, 64}},
                       .levels = {{"query", 40, 9e8, 9e8, 0, 0}, {"run", 3, 3e7, 2.8e7, 1, 500}},
                       .points = {}};
    for (std::size_t i = 0; i < loads.size(); ++i) {
      out.points.push_back({.runtime = i == 0 ? "ONNX Runtime" : name + "Vino",
                            .version = "1.2",
                            .threads = 1,
                            .samples = 64,
                            .scenario = scenario,
                            .load = &loads[i],
                            .figures = &figures[i],
                            .validity = &validities[i],
                            .peak = peak(i),
                            .answers = answers(static_cast<std::int64_t>(i))});
    }
    return out;
  }

 private:
  static scenario::Peak peak(std::size_t i) {
    using scenario::Verdict;
    scenario::Peak out{
        .rate = 88, .estimate = 91, .invalid_rate = 96, .undecided = i == 1, .seconds = 42};
    const auto probe = [&](double rate, double late, Verdict verdict) {
      out.probes.push_back({{.rate = rate, .queries = 700}, {verdict, 7, late, 300}});
    };
    probe(64, 0, Verdict::kValid);
    probe(128, 0.6, Verdict::kInvalid);
    probe(96, 0.013, i == 1 ? Verdict::kUndecided : Verdict::kInvalid);
    probe(88, 0.006, Verdict::kValid);
    return out;
  }

  static EvaluationAnswers answers(std::int64_t changed) {
    EvaluationAnswers out{.samples = 64,
                          .figures = {{"top1", 0.75 - 0.0625 * static_cast<double>(changed),
                                       stats::Interval{0.63, 0.84}},
                                      {"top5", 0.9375, stats::Interval{0.85, 0.98}}},
                          .predicted = {}};
    for (std::int64_t s = 0; s < out.samples; ++s)
      out.predicted.push_back(s % 16 == 5 ? s + changed : s);
    return out;
  }
};

}  // namespace ridge::report::testing
