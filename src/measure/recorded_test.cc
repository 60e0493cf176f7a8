// SPDX-License-Identifier: Apache-2.0
#include "measure/recorded.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

using profile::Level;
using profile::Span;
using profile::Timeline;
using runtime::KernelEvent;
using runtime::Measurement;
using runtime::Mode;

/// A line per span: level, name, start, end, parent's name.
std::string text_of(const Timeline& t) {
  std::string out;
  for (const Span& s : t.spans())
    out += fmt::format("{} {} {}-{} in {}\n", name(s.level), t.text(s.name), s.start_ns, s.end_ns,
                       s.parent == profile::kNoSpan ? "-" : t.text(t.spans()[s.parent].name));
  return out;
}

ProcessMeasurement one_process(std::vector<KernelEvent> events) {
  ProcessMeasurement p;
  const std::vector<runtime::KernelInfo> kernels = {
      {"conv", "Conv", "CPU", ""}, {"relu", "Relu", "CPU", ""}, {"loop", "Loop", "CPU", ""}};
  std::size_t used = 0;
  for (const KernelEvent& e : events) used = std::max<std::size_t>(used, e.kernel + 1);
  p.measurement.kernels.assign(kernels.begin(),
                               kernels.begin() + static_cast<std::ptrdiff_t>(used));
  p.measurement.samples = {
      {.mode = Mode::kFirst, .start = Nanos{1000}, .wall = Nanos{500}},
      {.mode = Mode::kUnprofiled, .start = Nanos{2000}, .wall = Nanos{90}},
      {.mode = Mode::kProfiled, .start = Nanos{3000}, .wall = Nanos{100}},
  };
  p.measurement.profiled = {{.sample = 2, .events = std::move(events)}};
  return p;
}

Timeline recorded(const std::vector<ProcessMeasurement>& processes,
                  const std::vector<std::uint32_t>& layer_of, std::uint32_t runs = 1) {
  const Collected collected = collect(processes);
  std::vector<profile::Layer> layers(3);
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    layers[i].index = i;
    layers[i].name = fmt::format("L{}", i);
    layers[i].members = {{.node = 7 + i}};
  }
  layers[0].bytes = 64;
  Timeline t;
  record(processes, {collected, layer_of, layers}, runs, t);
  return t;
}

TEST(Recorded, EveryRunIsASpanAndOneHasItsLayersAndKernels) {
  const Timeline t =
      recorded({one_process({{.kernel = 0, .start_ns = 10, .duration_ns = 20, .window_ns = 30},
                             {.kernel = 1, .start_ns = 45, .duration_ns = 5, .window_ns = 15}})},
               {0, 1, 2});
  EXPECT_EQ(text_of(t),
            "model run 0-500 in -\n"
            "model run 1000-1090 in -\n"
            "model run 2000-2100 in -\n"
            "layer L0 2010-2040 in run\n"
            "library conv 2010-2040 in L0\n"
            "layer L1 2045-2060 in run\n"
            "library relu 2045-2060 in L1\n");
  EXPECT_EQ(t.attribute_of(t.spans()[0], "mode"), "first");
  EXPECT_EQ(t.attribute_of(t.spans()[1], "mode"), "plain");
  EXPECT_EQ(t.attribute_of(t.spans()[1], "recorded"), "");
  EXPECT_EQ(t.attribute_of(t.spans()[2], "recorded"), "1");
  EXPECT_EQ(t.attribute_of(t.spans()[3], "layer"), "0");
  EXPECT_EQ(t.attribute_of(t.spans()[3], "nodes"), "7");
  EXPECT_EQ(t.attribute_of(t.spans()[3], "bytes"), "64");
  EXPECT_EQ(t.attribute_of(t.spans()[5], "bytes"), "");
  EXPECT_EQ(t.attribute_of(t.spans()[4], "duration_ns"), "20");
  EXPECT_EQ(t.text(t.spans()[4].thread), "process 1");
}

TEST(Recorded, KernelsOfOneLayerAreOneExecutionUntilOneComesAgain) {
  const Timeline t = recorded({one_process({{.kernel = 0, .start_ns = 0, .window_ns = 10},
                                            {.kernel = 1, .start_ns = 10, .window_ns = 10},
                                            {.kernel = 0, .start_ns = 20, .window_ns = 10}})},
                              {0, 0, 2});
  EXPECT_EQ(text_of(t).substr(text_of(t).find("layer")),
            "layer L0 2000-2020 in run\n"
            "library conv 2000-2010 in L0\n"
            "library relu 2010-2020 in L0\n"
            "layer L0 2020-2030 in run\n"
            "library conv 2020-2030 in L0\n");
}

TEST(Recorded, WhatIsInsideAControlFlowKernelHasItsLayerAsParent) {
  // In the order of their ends, as runtimes report them: the owner comes last.
  const Timeline t =
      recorded({one_process({{.kernel = 0, .parent = 2, .start_ns = 5, .window_ns = 10},
                             {.kernel = 1, .parent = 2, .start_ns = 20, .window_ns = 10},
                             {.kernel = 2, .start_ns = 0, .window_ns = 40}})},
               {0, 1, 2});
  EXPECT_EQ(text_of(t).substr(text_of(t).find("layer")),
            "layer L2 2000-2040 in run\n"
            "library loop 2000-2040 in L2\n"
            "layer L0 2005-2015 in L2\n"
            "library conv 2005-2015 in L0\n"
            "layer L1 2020-2030 in L2\n"
            "library relu 2020-2030 in L1\n");
}

TEST(Recorded, KernelsWithoutStartsAreLaidEndToEndAndSaySo) {
  const Timeline t =
      recorded({one_process({{.kernel = 0, .duration_ns = 30}, {.kernel = 1, .duration_ns = 12}})},
               {0, 1, 2});
  EXPECT_EQ(text_of(t).substr(text_of(t).find("layer")),
            "layer L0 2000-2030 in run\n"
            "library conv 2000-2030 in L0\n"
            "layer L1 2030-2042 in run\n"
            "library relu 2030-2042 in L1\n");
  EXPECT_EQ(t.attribute_of(t.spans()[3], "made"), "1");
}

TEST(Recorded, AKernelWithoutALayerHangsUnderTheRun) {
  const Timeline t =
      recorded({one_process({{.kernel = 0, .start_ns = 1, .window_ns = 10}})}, {0xffffffffU, 1, 2});
  EXPECT_EQ(text_of(t).substr(text_of(t).find("library")), "library conv 2001-2011 in run\n");
}

TEST(Recorded, TheRunOfMedianWallTimeIsTheOneKept) {
  ProcessMeasurement p = one_process({{.kernel = 0, .start_ns = 0, .window_ns = 10}});
  for (const std::int64_t wall : {400, 120, 300, 110}) {
    p.measurement.samples.push_back(
        {.mode = Mode::kProfiled, .start = Nanos{9000}, .wall = Nanos{wall}});
    p.measurement.profiled.push_back(
        {.sample = static_cast<std::uint32_t>(p.measurement.samples.size() - 1),
         .events = p.measurement.profiled[0].events});
  }
  const Timeline t = recorded({p}, {0, 1, 2});
  std::vector<std::int64_t> kept;
  for (const Span& s : t.spans())
    if (t.attribute_of(s, "recorded") == "1") kept.push_back(s.duration_ns());
  EXPECT_EQ(kept, std::vector<std::int64_t>{120});
}

TEST(Recorded, OfDeeperLevelsARunThatHadAllIsKept) {
  ProcessMeasurement p = one_process({{.kernel = 0, .start_ns = 0, .window_ns = 10}});
  Measurement& m = p.measurement;
  m.threads = {{71, "main"}, {72, "pool"}};
  m.counters = {{"page-faults", "", "perf software", ""}, {"cycles", "", "perf hardware", ""}};
  m.samples.push_back({.mode = Mode::kThread, .start = Nanos{3500}, .wall = Nanos{120}});
  m.samples.push_back({.mode = Mode::kDeepest, .start = Nanos{4000}, .wall = Nanos{200}});
  m.profiled.push_back({.sample = 4, .events = m.profiled[0].events});
  m.deep = {{.sample = 3, .thread_readings = 2, .threads = {{0, 9, 9, 9}}},
            {.sample = 4,
             .threads = {{0, 150, -1, -1}, {1, 90, 7, 2}},
             .counters = {{0, 12, 5, 5}, {1, 400, 100, 25}}}};
  const Timeline t = recorded({p}, {0, 1, 2});
  EXPECT_EQ(text_of(t),
            "model run 0-500 in -\n"
            "model run 1000-1090 in -\n"
            "model run 2000-2100 in -\n"
            "model run 2500-2620 in -\n"
            "model run 3000-3200 in -\n"
            "layer L0 3000-3010 in run\n"
            "library conv 3000-3010 in L0\n"
            "thread main 3000-3200 in run\n"
            "thread pool 3000-3200 in run\n"
            "counter page-faults 3000-3200 in run\n"
            "counter cycles 3000-3200 in run\n");
  const auto said = [&](std::size_t span, std::string_view key) {
    return t.attribute_of(t.spans()[span], key);
  };
  EXPECT_EQ(said(3, "mode"), "thread");
  EXPECT_EQ(said(4, "mode"), "deepest");
  EXPECT_EQ(said(4, "absent"), "kernel: not told by the runtime");
  EXPECT_EQ(said(7, "cpu_ns"), "150");
  EXPECT_EQ(said(7, "wait_ns"), "");
  EXPECT_EQ(said(8, "switches"), "2");
  EXPECT_EQ(t.text(t.spans()[8].thread), "process 1, worker 1");
  EXPECT_EQ(said(9, "value"), "12");
  EXPECT_EQ(said(9, "running_ns"), "");
  EXPECT_EQ(said(10, "running_ns"), "25");
}

TEST(Recorded, WithoutRunsThereAreNoSpans) { EXPECT_TRUE(recorded({}, {}).empty()); }

}  // namespace
}  // namespace ridge::measure
