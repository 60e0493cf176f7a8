// SPDX-License-Identifier: Apache-2.0
// Error rates of the comparison of src/stats/change.h on recorded noise (tests/data/noise): 200
// pairs without a difference and 200 with a planted slowdown of 2 %, with the default threshold of
// ridge compare and with one of 1 %.
//
//   build/bench/ridge_aa_power [tests/data/noise]
//
// The limits (kMaxAlarms, kMinFound) apply to the turns of ridge compare, with its number of
// processes, for 60 s; 20 s is the default for two columns. The other rows show how far the method
// carries with other turns, fewer processes and shorter times. Rows "luck" add a random offset of B
// per process (like one of memory layout; its mean is 0), against which several processes help.
// Exit status 1: the limits were missed.
#include "compare/comparison.h"
#include "stats/testing/replay.h"

namespace ridge::stats::testing {
namespace {

constexpr int kExperiments = 200, kMaxAlarms = 16, kMinFound = 155;
constexpr double kHigher = 0.01;

int different(const Called& c) { return c.slower + c.faster; }

struct Row {
  const char* name;
  Experiment null;
};
const std::vector<Row> kRows = {
    {"as ridge compare", {.turn = kCompareTurn, .processes = compare::kProcesses}},
    {"", {.seconds = 20, .turn = kCompareTurn, .processes = compare::kProcesses}},
    {"", {.turn = kCompareTurn, .processes = 3}},
    {"", {.seconds = 10, .turn = kCompareTurn, .processes = 3}},
    {"", {.seconds = 2, .turn = kCompareTurn, .processes = 3}},
    {"", {.turn = kCompareTurn, .processes = 2}},
    {"", {.turn = kCompareTurn}},
    {"single runs", {.turn = {}, .processes = 3}},
    {"bursts of 10", {.turn = {.runs = 10}, .processes = 3}},
    {"bursts of 100", {.turn = {.runs = 100}, .processes = 3}},
    {"luck of 1 %", {.turn = kCompareTurn, .processes = 3, .apart = 0.01}},
    {"", {.turn = kCompareTurn, .processes = 5, .apart = 0.01}},
    {"", {.seconds = 20, .turn = kCompareTurn, .processes = 5, .apart = 0.01}},
    {"", {.turn = kCompareTurn, .processes = 1, .apart = 0.01}},
};

bool print(const Noise& noise, const Row& row) {
  Experiment planted = row.null;
  planted.slowdown = 0.02;
  const int alarms = different(call(noise, row.null, kExperiments, compare::kThreshold));
  const int found = call(noise, planted, kExperiments, compare::kThreshold).slower;
  fmt::print("{:<17} {:9} {:9} {:6} {:12} {:8} {:12}\n", row.name, row.null.processes,
             row.null.seconds, alarms, different(call(noise, row.null, kExperiments, kHigher)),
             found, call(noise, planted, kExperiments, kHigher).slower);
  return alarms <= kMaxAlarms && found >= kMinFound;
}

int run(const std::string& folder) {
  const Noise noise = Noise::load(folder);
  if (noise.series() == 0) {
    fmt::print(stderr, "{} has no series\n", folder);
    return 2;
  }
  double total_ns = 0;
  for (std::size_t i = 0; i < noise.size(); ++i) total_ns += noise.ns(i);
  fmt::print("{} series, {} samples, {:.0f} s; {} experiments each\n", noise.series(), noise.size(),
             total_ns / 1e9, kExperiments);
  fmt::print("{:<17} {:>9} {:>9} {:>6} {:>12} {:>8} {:>12}\n", "turns", "processes", "seconds",
             "null", "null >1 %", "planted", ">1 %");
  bool reached = true;
  for (const Row& row : kRows) reached &= print(noise, row) || &row != &kRows[0];
  return reached ? 0 : 1;
}

}  // namespace
}  // namespace ridge::stats::testing

int main(int argc, char** argv) {
  return ridge::stats::testing::run(argc > 1 ? argv[1] : "tests/data/noise");
}
