// SPDX-License-Identifier: Apache-2.0
// Evaluations with invented queries, for tests of the page.
//
//   const Evaluated bench(5000);
//   evaluation_page(bench.view());
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
  Evaluation e;
  std::vector<ShownStep> steps = {
      {"decode", 2.1e6, 2e6, 64}, {"resize", 1.4e6, 1.3e6, 64}, {"normalize", 0.2e6, 0.2e6, 64}};
  std::vector<trace::StackLevel> levels;

  explicit Evaluated(std::size_t queries, const std::string& name = "resnet50.onnx") {
    e.model = name;
    e.host = "lab · processor, 2 processors";
    e.ridge = "1.0";
    e.scenario = {.kind = scenario::Kind::kServer, .arrivals = scenario::Poisson{.rate = 80}};
    e.bound = scenario::LatencyBound{.percentile = 0.99, .latency_ns = 120'000'000};
    e.load = true;
    e.data.emplace().of.source = "photographs";
    for (const double service_ns : {6e6, 8.5e6}) {
      EvaluatedPoint& p = e.points.emplace_back();
      const std::size_t i = e.points.size() - 1;
      p.runtime.name = i == 0 ? "ONNX Runtime" : name + "Vino";
      p.runtime.version = "1.2";
      p.samples = 64;
      p.under_load = true;
      p.scenario = e.scenario;
      p.load = queued(queries, service_ns, 3);
      judge(p);
      p.peak = peak(i);
      p.accuracy = answers(static_cast<std::int64_t>(i));
    }
    levels = {level("query", 40, 900'000'000, 900'000'000),
              level("run", 3, 30'000'000, 28'000'000)};
    levels[1].exceeding = 1;
    levels[1].max_excess_ns = 500;
  }

  /// Figures and validity of the load that the point has.
  void judge(EvaluatedPoint& p) const {
    p.figures = scenario::figures_of(e.scenario, p.load, e.bound);
    p.validity = scenario::validity_of(e.scenario, p.load, p.figures, e.bound);
  }

  /// Borrows this.
  EvaluationView view() const { return {e, steps, levels}; }

 private:
  static trace::StackLevel level(const char* name, std::uint64_t spans, std::int64_t time_ns,
                                 std::int64_t children_ns) {
    trace::StackLevel out;
    out.name = name;
    out.spans = spans;
    out.time_ns = time_ns;
    out.children_ns = children_ns;
    return out;
  }

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

  static Accuracy answers(std::int64_t changed) {
    Accuracy out;
    out.samples = 64;
    out.metrics = {
        {"top1", {0.75 - 0.0625 * static_cast<double>(changed), stats::Interval{0.63, 0.84}}},
        {"top5", {0.9375, stats::Interval{0.85, 0.98}}}};
    for (std::int64_t s = 0; s < out.samples; ++s)
      out.predicted.push_back(s % 16 == 5 ? s + changed : s);
    return out;
  }
};

}  // namespace ridge::report::testing
