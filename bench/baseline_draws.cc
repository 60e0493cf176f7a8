// SPDX-License-Identifier: Apache-2.0
// Counts draws in which ridge runs baseline names the right machine, or an equal one, on simulated
// fleets of 12 machines with recorded noise (src/lab/baseline/testing/draws.h): 100 draws in which
// one machine's memory runs at 80 %, and 100 of equal machines. Each draw is a run database, from
// which the baseline is made as the verb does, at its defaults.
//
//   build/bench/ridge_baseline_draws [draws] [tests/data/noise] [first seed]
//
// Found: the slow machine is named by its memory roofs. Accused: any equal machine is named, by
// anything. Exit status 1: fewer than 95 of 100 found, or more than 5 of 100 accused.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "lab/baseline/reference.h"
#include "lab/baseline/testing/counts.h"

int main(int argc, char** argv) {
  using ridge::lab::testing::FleetNoise;
  const int draws = argc > 1 ? std::atoi(argv[1]) : 100;
  const FleetNoise noise = FleetNoise::load(argc > 2 ? argv[2] : "tests/data/noise");
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (draws < 1 || noise.size() == 0) {
    fmt::print(stderr,
               "usage: ridge_baseline_draws [draws] [folder of recorded noise] [first seed]\n");
    return 2;
  }
  const auto slow = ridge::lab::testing::count_draws(noise, {.memory = 0.8}, draws, seed);
  const auto equal = ridge::lab::testing::count_draws(noise, {.memory = 1}, draws, seed);
  if (!slow.ok() || !equal.ok()) {
    fmt::print(stderr, "{}", (slow.ok() ? equal : slow).error().text());
    return 2;
  }
  fmt::print("memory at 80 %: the machine is found in {} of {} draws; another is accused in {}\n",
             slow->found, draws, slow->accused);
  fmt::print("equal machines: one is accused in {} of {} draws\n", equal->accused, draws);
  for (const std::string& what : equal->accusations) fmt::print("  {}\n", what);
  return slow->found * 100 >= 95 * draws && equal->accused * 100 <= 5 * draws ? 0 : 1;
}
