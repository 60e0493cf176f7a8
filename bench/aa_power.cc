// Whether a difference that is called one is one: the comparison of src/stats/compare.h on recorded
// noise (tests/data/noise), 200 pairs without a difference and 200 with a planted slowdown of 2 %,
// 60 s of replayed time each.
//
//   build/bench/ridge_aa_power [tests/data/noise]
//
// Runs that take turns one by one are what the numbers to reach are about; bursts and shorter
// times say how far the method carries. Exit status 1: the numbers were missed.
#include "stats/testing/replay.h"

namespace ridge::stats::testing {
namespace {

constexpr int kExperiments = 200, kMostAlarms = 16, kLeastFound = 155;

int different(const Called& c) { return c.slower + c.faster; }

bool row(const Noise& noise, std::size_t burst, double seconds) {
  const Experiment null{.seconds = seconds, .burst = burst};
  const Experiment planted{.seconds = seconds, .slowdown = 0.02, .burst = burst};
  const int alarms = different(call(noise, null, kExperiments));
  const int found = call(noise, planted, kExperiments).slower;
  fmt::print("{:5} {:9} {:9} {:13} {:9} {:13}\n", burst, seconds, alarms,
             different(call(noise, null, kExperiments, 0.005)), found,
             call(noise, planted, kExperiments, 0.005).slower);
  return alarms <= kMostAlarms && found >= kLeastFound;
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
  fmt::print("{:>5} {:>9} {:>9} {:>13} {:>9} {:>13}\n", "burst", "seconds", "null", "null >0.5 %",
             "planted", "planted >0.5 %");
  const bool reached = row(noise, 1, 60);
  for (const double seconds : {10.0, 2.0}) row(noise, 1, seconds);
  for (const std::size_t burst : {std::size_t{10}, std::size_t{100}}) row(noise, burst, 60);
  return reached ? 0 : 1;
}

}  // namespace
}  // namespace ridge::stats::testing

int main(int argc, char** argv) {
  return ridge::stats::testing::run(argc > 1 ? argv[1] : "tests/data/noise");
}
