// SPDX-License-Identifier: Apache-2.0
// Cost of taking turns: how much longer the first runs take after the other runtime has run,
// because its weights and activations fill the caches. In turns of six runs the k-th is compared
// with the median of the last three of the same turn, which stands for a model that runs alone.
// Measured in CPU time, which other programs disturb less than wall time.
//
//   build/bench/ridge_turn_positions [MODEL [SECONDS [RUNTIME...]]]
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "cli/descriptor_sink.h"
#include "cli/measuring_environment.h"
#include "measure/job.h"
#include "runtime/child/child.h"
#include "runtime/turns.h"
#include "session/workbench.h"
#include "stats/block_median.h"

namespace ridge::measure {
namespace {

constexpr std::size_t kRuns = 6, kAlone = 3;

struct Timed {
  const runtime::Sample* sample;
  std::size_t party;
};

/// Per party and position in the turn, for turns that follow one of another party: logarithm of the
/// run's time over the median of the turn's last kAlone runs.
using Positions = std::vector<std::array<std::vector<double>, kRuns>>;

Positions positions_of(const std::vector<runtime::Measurement>& parties) {
  std::vector<Timed> all;
  for (std::size_t p = 0; p < parties.size(); ++p)
    for (const runtime::Sample& s : parties[p].samples)
      if (s.mode == runtime::Mode::kUnprofiled) all.push_back({&s, p});
  std::sort(all.begin(), all.end(),
            [](const Timed& a, const Timed& b) { return a.sample->start < b.sample->start; });
  Positions out(parties.size());
  for (std::size_t at = kRuns; at + kRuns <= all.size(); at += kRuns) {
    const std::size_t party = all[at].party;
    if (all[at - 1].party == party) continue;
    std::vector<double> walls;
    for (std::size_t i = 0; i < kRuns; ++i)
      walls.push_back(static_cast<double>(all[at + i].sample->cpu.count));
    const double alone = stats::median(std::span(walls).last(kAlone));
    for (std::size_t i = 0; i < kRuns; ++i) out[party][i].push_back(std::log(walls[i] / alone));
  }
  return out;
}

Result<void> run(const std::string& model, double seconds, const std::vector<std::string>& runtimes,
                 cli::Console& console) {
  session::MeasureSpec spec;
  spec.runtimes = runtimes;
  spec.budget.seconds = seconds;
  const cli::ConsoleEnvironment environment(console);
  const session::Workbench bench = TRY(session::make_workbench(model, spec, *environment));
  const std::vector<session::Point> points = session::points_of(spec);
  const analysis::Resolved resolved = TRY(bench.resolve(points[0]));
  std::vector<Request> requests;
  for (const session::Point& point : points) requests.push_back(TRY(bench.request(point)));
  std::vector<Job> jobs;
  std::vector<Job::Started> started;
  std::vector<runtime::Party> parties;
  for (const Request& request : requests) {
    jobs.push_back(TRY(Job::begin(resolved, request)));
    started.push_back(TRY(jobs.back().start(1)));
  }
  for (Job::Started& one : started) parties.push_back({&one.runtime, one.session});
  runtime::Plan plan = requests[0].plan;
  plan.unprofiled_per_round = kRuns;
  plan.profiled_per_round = 0;
  std::vector<runtime::Measurement> measured;
  for (Result<runtime::Measurement>& m : runtime::measure_in_turns(parties, plan))
    measured.push_back(TRY(std::move(m)));
  const Positions positions = positions_of(measured);
  fmt::print("{}: % longer than alone, by position after another's turn [95 %]\n", model);
  for (std::size_t p = 0; p < runtimes.size(); ++p) {
    fmt::print("{:<9} {:4} turns", runtimes[p], positions[p][0].size());
    for (std::size_t i = 0; i < kRuns - kAlone; ++i) {
      const stats::BlockMedian m(std::span(&positions[p][i], 1));
      const stats::Interval ci = m.interval(0.95).value_or(stats::Interval{});
      fmt::print("  {}: {:.1f} [{:.1f}, {:.1f}]", i + 1, 100 * std::expm1(m.value()),
                 100 * std::expm1(ci.lo), 100 * std::expm1(ci.hi));
    }
    fmt::print("\n");
  }
  return {};
}

}  // namespace
}  // namespace ridge::measure

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  cli::DescriptorSink out(STDOUT_FILENO, 0), err(STDERR_FILENO, 0);
  cli::Console console{out, err};
  std::vector<std::string> runtimes(argv + std::min(argc, 3), argv + argc);
  if (runtimes.empty()) runtimes = {"ort", "openvino"};
  const Result<void> done = measure::run(argc > 1 ? argv[1] : "zoo:resnet50",
                                         argc > 2 ? std::atof(argv[2]) : 10, runtimes, console);
  return done.ok() ? 0 : cli::report(console, done.error());
}
