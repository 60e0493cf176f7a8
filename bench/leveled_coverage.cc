// SPDX-License-Identifier: Apache-2.0
// Coverage of the 95 % intervals of a corrected profile, on synthetic traces with recorded noise
// (src/measure/testing/synthetic.h).
//
//   build/bench/ridge_leveled_coverage [tests/data/noise [EXPERIMENTS]]
//
// Exit status 1: some kind of interval covers the truth in less than 93 %.
#include <fmt/core.h>

#include <cstdlib>

#include "measure/testing/coverage.h"

namespace ridge::measure::testing {
namespace {

constexpr double kMin = 0.93;

bool row(const char* name, const Coverage& c) {
  fmt::print("{:<22} {:7} {:7.3f} {:12.2f} {:12.2f}\n", name, c.intervals, c.share(),
             100 * stats::median(c.widths), 100 * stats::median(c.errors));
  return c.share() >= kMin;
}

bool table(const stats::testing::Noise& noise, int experiments, const Machine& machine) {
  fmt::print("\n{} processes, luck {:.0f} x the runs' deviation\n", machine.processes,
             machine.luck);
  fmt::print("{:<22} {:>7} {:>7} {:>12} {:>12}\n", "95 % interval of", "n", "covers", "width, %",
             "error, %");
  const Coverages c = coverages(noise, experiments, machine);
  bool reached = row("latency", c.latency);
  reached &= row("profiled latency", c.profiled_latency);
  reached &= row("layer, reported", c.reported);
  reached &= row("layer, corrected", c.layers);
  for (std::size_t k = 0; k < c.each_layer.size(); ++k)
    row(fmt::format("  of {} operations", Machine{}.layers[k]).c_str(), c.each_layer[k]);
  reached &= row("event cost", c.event_cost);
  reached &= row("fixed cost", c.fixed_cost);
  reached &= row("run, corrected", c.total);
  reached &= row("profiled, predicted", c.predicted);
  reached &= row("event of deeper level", c.deeper_event_cost);
  reached &= row("fixed, deeper level", c.deeper_fixed_cost);
  reached &= row("deepest, predicted", c.deepest);
  return reached;
}

int run(const std::string& folder, int experiments) {
  const auto noise = stats::testing::Noise::load(folder);
  if (noise.series() == 0 || experiments < 1) {
    fmt::print(stderr, "{} has no series\n", folder);
    return 2;
  }
  fmt::print("{} experiments on {} series\n", experiments, noise.series());
  bool reached = true;
  for (const std::size_t processes : {3U, 5U})
    for (const double luck : {0.0, 1.0, 2.0})
      reached &= table(noise, experiments, {.processes = processes, .luck = luck});
  return reached ? 0 : 1;
}

}  // namespace
}  // namespace ridge::measure::testing

int main(int argc, char** argv) {
  return ridge::measure::testing::run(argc > 1 ? argv[1] : "tests/data/noise",
                                      argc > 2 ? std::atoi(argv[2]) : 400);
}
