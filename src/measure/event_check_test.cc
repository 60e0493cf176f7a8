// SPDX-License-Identifier: Apache-2.0
#include "measure/event_check.h"

#include <gtest/gtest.h>

#include <functional>

#include "analysis/testing.h"
#include "stats/random.h"

namespace ridge::measure {
namespace {

using runtime::KernelEvent;
using runtime::Measurement;
using runtime::Mode;
using runtime::ProfiledRun;
using runtime::Sample;

/// Runs of two kernels, about 300 and 500 us of 1 ms.
ProcessMeasurement repeated_process(std::size_t runs = 20) {
  stats::Random random(3);
  ProcessMeasurement out;
  Measurement& m = out.measurement;
  m.kernels = {{"conv", "Conv", "", ""}, {"pool", "MaxPool", "", ""}};
  for (std::uint32_t i = 0; i < runs; ++i) {
    Sample sample{.mode = Mode::kProfiled, .round = i, .start = {}, .wall = Nanos{1'000'000}};
    m.samples.push_back(sample);
    ProfiledRun run{.sample = i, .model_run_ns = 990'000, .events = {}};
    const auto conv = static_cast<std::int64_t>(290 + random.below(20)) * 1000;
    const auto pool = static_cast<std::int64_t>(490 + random.below(20)) * 1000;
    run.events.push_back(
        {.kernel = 0, .start_ns = 5'000, .duration_ns = conv, .window_ns = conv + 900});
    run.events.push_back(
        {.kernel = 1, .start_ns = 400'000, .duration_ns = pool, .window_ns = pool + 900});
    m.profiled.push_back(run);
  }
  return out;
}

std::vector<std::string> notes_after(const std::function<void(Measurement&)>& fault) {
  std::vector<ProcessMeasurement> processes = {repeated_process(), repeated_process()};
  fault(processes[1].measurement);
  return event_notes(processes);
}

using Notes = std::vector<std::string>;

TEST(EventCheck, NodesWithoutAPlaceAreNamed) {
  const analysis::Resolved resolved = analysis::testing::resolved(R"(graph main
    input x[2]
    first: Relu(x) -> a
    Tanh(a) -> y
    output y)");
  attribution::Attribution attribution;
  EXPECT_EQ(unplaced_note(attribution, resolved), std::nullopt);
  attribution.unplaced = {0, 1};
  EXPECT_EQ(unplaced_note(attribution, resolved),
            "2 nodes could not be attributed to a layer: node #0 'first', node #1 (Tanh)");
  attribution.unplaced.assign(12, 1);
  EXPECT_TRUE(unplaced_note(attribution, resolved)->ends_with("node #1 (Tanh) and 2 more"));
}

TEST(EventCheck, EventsThatCanBeGiveNoNote) {
  EXPECT_EQ(notes_after([](Measurement&) {}), Notes());
  EXPECT_EQ(event_notes({}), Notes());
}

TEST(EventCheck, AClockThatIsSetShows) {
  EXPECT_EQ(notes_after([](Measurement& m) {
              m.profiled[3].events[1].duration_ns -= 1'000'000'000;
              m.profiled[7].events[0].window_ns = -1;
            }),
            Notes{"the profiler reports 2 events (first: 'pool') that end before they begin: its "
                  "clock was set back"});
  EXPECT_EQ(notes_after([](Measurement& m) {
              m.profiled[3].events[1].duration_ns += 3'600'000'000;
              m.profiled[3].model_run_ns += 3'600'000'000;
            }),
            (Notes{"the profiler reports 1 event (first: 'pool') that last longer than the run "
                   "around them: its clock was set forward",
                   "the profiler gives 1 run more time than went by: its clock was set forward, or "
                   "runs fast"}));
}

TEST(EventCheck, EventsThatComeTwiceOrNotAtAllShow) {
  EXPECT_EQ(notes_after([](Measurement& m) {
              for (ProfiledRun& run : m.profiled) run.events.push_back(run.events[0]);
            }),
            Notes{"the profiler reports 20 events (first: 'conv') twice: their times count twice"});
  EXPECT_EQ(notes_after([](Measurement& m) {
              for (std::size_t i = 0; i < 20; i += 3) m.profiled[i].events.pop_back();
            }),
            Notes{"7 of 40 profiled runs have more or fewer events than the others (first: "
                  "'pool')"});
}

TEST(EventCheck, BodiesRunAsOftenAsTheyLike) {
  EXPECT_EQ(notes_after([](Measurement& m) {
              for (std::size_t i = 0; i < 20; i += 3)
                m.profiled[i].events.push_back({.kernel = 1, .parent = 0, .start_ns = 6'000});
            }),
            Notes());
}

TEST(EventCheck, CoarseStepsAreSaid) {
  const auto coarse = [](Measurement& m) {
    for (ProfiledRun& run : m.profiled)
      for (KernelEvent& e : run.events) e.duration_ns = e.duration_ns / 100'000 * 100'000;
  };
  std::vector<ProcessMeasurement> processes = {repeated_process()};
  EXPECT_EQ(duration_step_ns(processes), 1000);
  coarse(processes[0].measurement);
  EXPECT_EQ(duration_step_ns(processes), 100'000);
  EXPECT_EQ(event_notes(processes), Notes{"the profiler reports times in steps of 100.0 µs: layers "
                                          "are known no better than that"});
  processes[0].measurement.profiled.resize(10);  // too few to tell
  EXPECT_EQ(duration_step_ns(processes), 1000);
}

}  // namespace
}  // namespace ridge::measure
