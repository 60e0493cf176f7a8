// SPDX-License-Identifier: Apache-2.0
#include "trace/build_view.h"

#include <gtest/gtest.h>

#include "trace/queries.h"
#include "trace/show.h"
#include "trace/testing.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Profile;
using profile::SpanId;
using profile::Timeline;

/// Table as text, without notes: a "|" after each cell, "?" for null.
std::string view_text(const Table& t) {
  std::string out;
  for (const Column& c : t.columns) out += c.name + "|";
  for (const Row& row : t.rows) {
    out += "\n";
    for (const Cell& cell : row.cells()) {
      if (const auto* text = std::get_if<std::string>(&cell)) out += *text;
      if (const auto* whole = std::get_if<std::int64_t>(&cell)) out += fmt::format("{}", *whole);
      if (const auto* real = std::get_if<double>(&cell)) out += fmt::format("{:.4g}", *real);
      if (std::holds_alternative<std::monostate>(cell)) out += "?";
      out += "|";
    }
  }
  return out + "\n";
}

std::string ask(std::string_view name, std::vector<Profile> profiles) {
  std::vector<View> views;
  for (Profile& p : profiles) views.push_back(build_view(p));
  const Result<Table> t = run_query(name, views);
  return t.ok() ? view_text(*t) : t.error().text();
}

/// Profile with two layers, as `ridge profile` measures them.
Profile measured() {
  Profile p;
  p.subject.path = "m.onnx";
  p.subject.runtime = "onnxruntime";
  p.latency.ns = {1000, {{990, 1010}}};
  p.nodes.resize(3);
  p.nodes[0].output_shape = "1x8 float32";
  p.layers.resize(2);
  p.layers[0] = {.index = 0, .name = "conv1", .type = "Conv", .implementation = "CPU"};
  p.layers[0].corrected_ns = 750;
  p.layers[0].members = {{.node = 0}, {.node = 1, .role = profile::Role::kAbsorbed}};
  p.layers[0].work = {.macs = 100, .flops = 50, .special = 0, .int_ops = 0};
  p.layers[0].bytes = 500;
  p.layers[0].output_bytes = 32;
  p.layers[0].kernels = {{"conv1_nchwc", "Conv", {800, {{790, 810}}}}};
  p.layers[0].bound = {.kind = "compute", .time_ns = 75, .roof_share = 0.1, .reason = ""};
  p.layers[1] = {.index = 1, .name = "sum", .type = "Add", .implementation = "CPU"};
  p.layers[1].corrected_ns = 250;
  p.layers[1].members = {{.node = 2}};
  p.layers[1].work.flops = std::nullopt;
  p.layers[1].bytes = std::nullopt;
  p.layers[1].kernels = {{"sum_1", "Add", {150, {{150, 150}}}},
                         {"sum_2", "Add", {120, {{120, 120}}}}};
  p.profiling.corrected_sum_ns = 1000;
  return p;
}

/// One run [0, 200): layer a [10, 60) launches k1 on stream 7 [50, 90) and k2 on stream 8
/// [70, 100); layer b [60, 120) launches k1 on stream 7 [130, 160). Hand-made.
Profile on_a_device() {
  Profile p;
  p.subject.kind = "imported";
  Timeline& t = p.timeline;
  const auto host = [&](Level level, std::string_view name, std::int64_t from, std::int64_t to,
                        std::uint64_t id) {
    t.add({.level = level,
           .name = t.intern(name),
           .start_ns = from,
           .end_ns = to,
           .thread = t.intern("main"),
           .correlation = id});
  };
  const auto kernel = [&](std::string_view name, const char* stream, std::int64_t from,
                          std::int64_t to, std::uint64_t id) {
    t.add({.level = Level::kKernel,
           .name = t.intern(name),
           .start_ns = from,
           .end_ns = to,
           .device = t.intern("GPU 0"),
           .queue = t.intern(stream),
           .correlation = id});
  };
  host(Level::kModel, "run", 0, 200, 0);
  host(Level::kLayer, "a", 10, 60, 0);
  t.attribute("type", "Conv");
  host(Level::kLibrary, "launch", 20, 30, 1);
  host(Level::kLibrary, "launch", 40, 50, 2);
  host(Level::kLayer, "b", 60, 120, 0);
  t.attribute("type", "Relu");
  host(Level::kLibrary, "launch", 110, 115, 3);
  kernel("k1", "7", 50, 90, 1);
  t.attribute("flops", "4000");
  t.attribute("dram_read_bytes", "300");
  t.attribute("dram_write_bytes", "100");
  t.attribute("occupancy", "0.5");
  kernel("k2", "8", 70, 100, 2);
  kernel("k1", "7", 130, 160, 3);
  t.attribute("flops", "6000");
  t.attribute("dram_read_bytes", "500");
  t.attribute("dram_write_bytes", "100");
  t.attribute("occupancy", "0.75");
  return p;
}

TEST(Queries, A1FindsTheBatchWhoseDoublingDoesNotPay) {
  std::vector<Profile> runs(3, measured());
  const double latencies[] = {100, 150, 290};
  for (std::size_t i = 0; i < 3; ++i) {
    runs[i].batch = 1LL << i;
    runs[i].latency.ns = {latencies[i], {{latencies[i], latencies[i]}}};
  }
  EXPECT_EQ(ask("A1", runs),
            "run|model|runtime|batch|latency_ns|low_ns|high_ns|items_per_s|optimal|\n"
            "1|m.onnx|onnxruntime|1|100|100|100|1e+07|no|\n"
            "2|m.onnx|onnxruntime|2|150|150|150|1.333e+07|yes|\n"
            "3|m.onnx|onnxruntime|4|290|290|290|1.379e+07|?|\n");
}

TEST(Queries, A1OfSpansHasNoIntervals) {
  EXPECT_EQ(ask("A1", {on_a_device()}),
            "run|model|runtime|batch|latency_ns|low_ns|high_ns|items_per_s|optimal|\n"
            "1|?|?|1|200|?|?|5e+06|?|\n");
}

TEST(Queries, LayersOfATableAreAsTheProfileHasThem) {
  EXPECT_EQ(ask("A2", {measured()}),
            "layer|name|type|time_ns|share|output_shape|precision|implementation|output_bytes|"
            "nodes|module|\n"
            "0|conv1|Conv|750|0.75|1x8 float32|?|CPU|32|0 1|?|\n"
            "1|sum|Add|250|0.25|?|?|CPU|?|2|?|\n");
  EXPECT_EQ(ask("A3", {measured()}),
            "layer|name|type|third|time_ns|share|share_until|\n"
            "0|conv1|Conv|beginning|750|0.75|0.75|\n"
            "1|sum|Add|middle|250|0.25|1|\n");
  EXPECT_EQ(ask("A14", {measured()}),
            "layer|name|time_ns|operations|bytes|intensity|flop_per_s|bytes_per_s|bound|"
            "roof_share|\n"
            "0|conv1|750|250|500|0.5|3.333e+08|6.667e+08|compute|0.1|\n"
            "1|sum|250|?|?|?|?|?|?|?|\n");
}

TEST(Queries, LayersOfSpansHaveTheTimeOfTheirKernelsOnDevices) {
  EXPECT_EQ(ask("A3", {on_a_device()}),
            "layer|name|type|third|time_ns|share|share_until|\n"
            "0|a|Conv|beginning|50|0.625|0.625|\n"
            "1|b|Relu|middle|30|0.375|1|\n");
  EXPECT_EQ(ask("A4", {on_a_device()}),
            "layer|name|type|allocated_bytes|output_bytes|bytes|\n"
            "0|a|Conv|?|?|?|\n"
            "1|b|Relu|?|?|?|\n");
}

TEST(Queries, TypesAreSummed) {
  Profile p = measured();
  p.layers.push_back(p.layers[0]);
  p.layers[2].corrected_ns = 1000;
  EXPECT_EQ(ask("A5", {p}),
            "type|layers|share|\n"
            "Conv|2|0.6667|\n"
            "Add|1|0.3333|\n");
  EXPECT_EQ(ask("A6", {p}),
            "type|layers|time_ns|share|mean_ns|\n"
            "Conv|2|1750|0.875|875|\n"
            "Add|1|250|0.125|250|\n");
  EXPECT_EQ(ask("A7", {p}),
            "type|layers|allocated_bytes|output_bytes|bytes|\n"
            "Conv|2|?|64|1000|\n"
            "Add|1|?|?|?|\n");
}

TEST(Queries, KernelsOfADeviceBelongToLayersByTheirLaunches) {
  EXPECT_EQ(ask("A8", {on_a_device()}),
            "kernel|layer|layer_name|implementation|device|count|time_ns|share|flops|"
            "dram_read_bytes|dram_write_bytes|occupancy|\n"
            "k1|0|a|?|GPU 0|1|40|0.4|4000|300|100|0.5|\n"
            "k2|0|a|?|GPU 0|1|30|0.3|?|?|?|?|\n"
            "k1|1|b|?|GPU 0|1|30|0.3|6000|500|100|0.75|\n");
  EXPECT_EQ(ask("A11", {on_a_device()}),
            "layer|name|kernels|distinct|time_ns|share|\n"
            "0|a|2|2|70|0.7|\n"
            "1|b|1|1|30|0.3|\n");
}

TEST(Queries, WhatAnApplicationEnclosesWithoutARunOfTheModelIsOneRun) {
  Profile p = on_a_device();
  p.timeline.spans()[0].level = Level::kApplication;
  EXPECT_EQ(ask("A11", {std::move(p)}), ask("A11", {on_a_device()}));
}

TEST(Queries, RooflineOfKernelsComesFromCountersOnly) {
  EXPECT_EQ(ask("A9", {on_a_device()}),
            "kernel|layer|layer_name|time_ns|operations|bytes|intensity|flop_per_s|from|bound|"
            "roof_share|\n"
            "k1|0|a|40|4000|400|10|1e+11|counters|?|?|\n"
            "k2|0|a|30|?|?|?|?|?|?|?|\n"
            "k1|1|b|30|6000|600|10|2e+11|counters|?|?|\n");
  EXPECT_EQ(ask("A9", {measured()}),
            "kernel|layer|layer_name|time_ns|operations|bytes|intensity|flop_per_s|from|bound|"
            "roof_share|\n"
            "Conv|0|conv1|750|250|500|0.5|3.333e+08|model|compute|0.1|\n"
            "Add|1|sum|150|?|?|?|?|?|?|?|\n"
            "Add|1|sum|120|?|?|?|?|?|?|?|\n");
}

TEST(Queries, KernelsByNameWeighOccupancyByTime) {
  EXPECT_EQ(ask("A10", {on_a_device()}),
            "kernel|count|layers|time_ns|share|mean_ns|operations|bytes|intensity|flop_per_s|from|"
            "flops|dram_read_bytes|dram_write_bytes|occupancy|\n"
            "k1|2|2|70|0.7|35|1e+04|1000|10|1.429e+11|counters|1e+04|800|200|0.6071|\n"
            "k2|1|1|30|0.3|30|?|?|?|?|?|?|?|?|?|\n");
}

TEST(Queries, CountersByLayerAreNullWhereAKernelHasNone) {
  EXPECT_EQ(ask("A12", {on_a_device()}),
            "layer|name|time_ns|operations|flops|dram_read_bytes|dram_write_bytes|occupancy|\n"
            "0|a|50|?|?|?|?|?|\n"
            "1|b|30|?|6000|500|100|0.75|\n");
}

TEST(Queries, DeviceTimeCountsOverlappingKernelsOnce) {
  // a: host [10, 60), kernels [50, 90) and [70, 100): 90 together, 50 of them on the device.
  EXPECT_EQ(ask("A13", {on_a_device()}),
            "layer|name|extent_ns|host_ns|device_ns|other_ns|device_share|\n"
            "0|a|90|50|50|40|0.5556|\n"
            "1|b|90|60|30|60|0.3333|\n");
  EXPECT_EQ(ask("A13", {measured()}),
            "layer|name|extent_ns|host_ns|device_ns|other_ns|device_share|\n"
            "0|conv1|?|?|?|?|?|\n"
            "1|sum|?|?|?|?|?|\n");
}

TEST(Queries, KernelsOfTheModelTogether) {
  EXPECT_EQ(ask("A15", {on_a_device()}),
            "kernels|distinct|time_ns|latency_ns|share|operations|bytes|intensity|flop_per_s|from|"
            "flops|dram_read_bytes|dram_write_bytes|occupancy|\n"
            "3|2|100|200|0.5|?|?|?|?|?|?|?|?|?|\n");
}

TEST(Queries, IdleTimeIsHostWorkThenDependencyThenLaunch) {
  // Stream 7: [0, 50) before k1, launched at 20; [90, 130) before the second, launched at 110.
  // Stream 8: [0, 70) before k2, launched at 40, stream 7 busy from 50 on.
  EXPECT_EQ(ask("idle", {on_a_device()}),
            "device|queue|cause|gaps|time_ns|share|longest_ns|longest_before|\n"
            "GPU 0|7|host work|2|40|0.2|20|k1|\n"
            "GPU 0|7|launch latency|2|50|0.25|30|k1|\n"
            "GPU 0|7|run end|1|40|0.2|40|?|\n"
            "GPU 0|8|host work|1|40|0.2|40|k2|\n"
            "GPU 0|8|launch latency|1|10|0.05|10|k2|\n"
            "GPU 0|8|dependency|1|20|0.1|20|k2|\n"
            "GPU 0|8|run end|1|100|0.5|100|?|\n");
}

TEST(Queries, AThreadsGapsAreTheRuntimesOwnUnlessAnotherRuns) {
  Profile p;
  Timeline& t = p.timeline;
  t.add({.level = Level::kModel, .end_ns = 100, .thread = t.intern("main")});
  const auto call = [&](const char* thread, std::int64_t from, std::int64_t to) {
    t.add({.parent = 0,
           .level = Level::kLibrary,
           .name = t.intern("f"),
           .start_ns = from,
           .end_ns = to,
           .thread = t.intern(thread)});
  };
  call("main", 5, 20);
  call("main", 60, 90);
  call("worker", 30, 50);
  EXPECT_EQ(ask("idle", {p}),
            "thread|queue|cause|gaps|time_ns|share|longest_ns|longest_before|\n"
            "main|?|host work|1|20|0.2|20|f|\n"
            "main|?|dependency|1|20|0.2|20|f|\n"
            "main|?|run start|1|5|0.05|5|f|\n"
            "main|?|run end|1|10|0.1|10|?|\n"
            "worker|?|run start|1|30|0.3|30|f|\n"
            "worker|?|run end|1|50|0.5|50|?|\n");
}

TEST(Queries, DifferencesStandByNameLargestFirst) {
  Profile b = measured();
  b.latency.ns.value = 1200;
  b.layers[0].corrected_ns = 950;
  b.layers[1].name = "sum2";
  b.layers[1].kernels.resize(1);
  EXPECT_EQ(ask("diff", {measured(), b}),
            "level|name|count_a|count_b|time_a_ns|time_b_ns|difference_ns|ratio|\n"
            "model|latency|1|1|1000|1200|200|1.2|\n"
            "layer type|Conv|1|1|750|950|200|1.267|\n"
            "layer type|Add|1|1|250|250|0|1|\n"
            "layer|sum|1|0|250|?|-250|?|\n"
            "layer|sum2|0|1|?|250|250|?|\n"
            "layer|conv1|1|1|750|950|200|1.267|\n"
            "kernel|Conv|1|1|750|950|200|1.267|\n"
            "kernel|Add|2|1|270|250|-20|0.9259|\n");
}

/// Profile with levels below the layers.
Profile leveled() {
  Profile p = measured();
  p.latency.processes = {{.samples_ns = {1000, 1001}}};
  p.profiling.profiled_latency_ns = {1300, {{1290, 1310}}};
  p.profiling.event_cost = {90, {{80, 100}}};
  p.profiling.fixed_cost = {50, {{40, 60}}};
  p.profiling.predicted_profiled_ns = {1230, {{1200, 1260}}};
  p.levels.costs = {{Level::kThread, 20, 4, {1020, {{1010, 1030}}}, {3, {{0, 5}}}, {7, {{-1, 9}}}}};
  p.levels.deepest_ns = {1320, {{1300, 1340}}};
  p.levels.predicted_deepest_ns = {1249, {{1200, 1300}}};
  p.levels.threads = {{"main", {900, {{890, 910}}}, {}, {{2, {{1, 3}}}}},
                      {"pool", {300, {{290, 310}}}, {}, {}}};
  p.levels.imbalance = {1.5, {{1.4, 1.6}}};
  p.levels.counters = {{"page-faults", "", "perf software", {{12, {{11, 13}}}}, 1, ""},
                       {"cycles", "", "", {}, {}, "perf_event_open: No such file or directory"}};
  return p;
}

TEST(Queries, LevelsStandWithWhatTheyCostAndWhatThatPredicts) {
  EXPECT_EQ(ask("levels", {leveled()}),
            "level|runs|events|latency_ns|latency_low_ns|latency_high_ns|event_cost_ns|"
            "event_cost_low_ns|event_cost_high_ns|fixed_cost_ns|fixed_cost_low_ns|"
            "fixed_cost_high_ns|predicted_ns|predicted_low_ns|predicted_high_ns|\n"
            "model|2|?|1000|990|1010|?|?|?|?|?|?|?|?|?|\n"
            "layer|2|3|1300|1290|1310|90|80|100|50|40|60|1230|1200|1260|\n"
            "thread|20|4|1020|1010|1030|3|0|5|7|-1|9|?|?|?|\n"
            "all|?|?|1320|1300|1340|?|?|?|?|?|?|1249|1200|1300|\n");
}

TEST(Queries, ThreadsHaveTheirShareAndWhatTheSystemDoesNotSayIsNull) {
  EXPECT_EQ(ask("threads", {leveled()}),
            "thread|name|cpu_ns|cpu_low_ns|cpu_high_ns|share|wait_ns|wait_low_ns|wait_high_ns|"
            "switches|switches_low|switches_high|\n"
            "caller|main|900|890|910|0.75|?|?|?|2|1|3|\n"
            "worker 1|pool|300|290|310|0.25|?|?|?|?|?|?|\n");
  Profile p = leveled();
  const std::vector<View> views = {build_view(p)};
  EXPECT_TRUE(run_query("threads", views)->notes[0].starts_with("imbalance 1.500 [1.400, 1.600]:"));
}

TEST(Queries, CountersThatAreAbsentSayWhyAndAreNotZero) {
  EXPECT_EQ(ask("counters", {leveled()}),
            "counter|value|value_low|value_high|unit|origin|running_share|reason|\n"
            "page-faults|12|11|13|?|perf software|1|?|\n"
            "cycles|?|?|?|?|?|?|perf_event_open: No such file or directory|\n");
  EXPECT_NE(ask("counters", {measured()}).find("ridge profile --level counter"), std::string::npos);
}

TEST(Queries, SeveralRunsAreToldApart) {
  EXPECT_EQ(ask("A5", {measured(), on_a_device()}),
            "run|type|layers|share|\n"
            "1|Add|1|0.5|\n"
            "1|Conv|1|0.5|\n"
            "2|Conv|1|0.5|\n"
            "2|Relu|1|0.5|\n");
}

TEST(Queries, WhatARunLacksIsSaidWithTheLevelsThatItHas) {
  Profile p;
  p.timeline.add({.level = Level::kModel, .end_ns = 5});
  EXPECT_EQ(ask("A8", {p}),
            "error: A8 (kernel information) needs kernels that layers name, or spans of level "
            "kernel or library\n"
            "  this run has model (1 span)\n"
            "  hint: 'ridge trace list' shows what each query needs\n"
            "  [RIDGE-TRACE-0002]\n");
  EXPECT_EQ(ask("idle", {measured()}),
            "error: idle (causes of idle time) needs recorded spans of level kernel, library or "
            "layer\n"
            "  this run has no spans and 2 layers in its table\n"
            "  hint: 'ridge trace list' shows what each query needs\n"
            "  [RIDGE-TRACE-0002]\n");
  EXPECT_EQ(ask("A77", {p}),
            "error: unknown query 'A77'\n"
            "  hint: did you mean 'A7'? 'ridge trace list' lists them\n"
            "  [RIDGE-TRACE-0001]\n");
  EXPECT_EQ(ask("diff", {p}),
            "error: 'diff' compares two runs, but there is 1\n"
            "  hint: ridge trace diff A.json B.json\n"
            "  [RIDGE-TRACE-0003]\n");
}

TEST(Queries, EachAnswersForEveryTraceThatHasWhatItNeeds) {
  for (const std::uint32_t kernels : {0U, 2U}) {
    Profile p;
    p.timeline = testing::make({.runs = 3, .kernels_per_layer = kernels}).timeline;
    p.profiling.event_cost = stats::Estimate{};
    p.levels.threads.resize(1);
    p.levels.counters.resize(1);
    for (const Query& q : queries()) {
      const std::string answer = ask(q.name, std::vector<Profile>(q.runs == 2 ? 2 : 1, p));
      EXPECT_EQ(answer.find("error"), std::string::npos) << answer;
      EXPECT_NE(answer.find('\n'), std::string::npos) << q.name;
    }
  }
}

TEST(View, TimesAreMediansOverRuns) {
  Profile p;
  Timeline& t = p.timeline;
  for (const std::int64_t ns : {10, 50, 20}) {
    const std::int64_t from = t.spans().empty() ? 0 : t.spans().back().end_ns + 100;
    const SpanId run = t.add({.level = Level::kModel, .start_ns = from, .end_ns = from + 90});
    t.add({.parent = run,
           .level = Level::kLayer,
           .name = t.intern("l"),
           .start_ns = from,
           .end_ns = from + ns});
  }
  View view = build_view(p);
  ASSERT_EQ(view.layers.size(), 1U);
  EXPECT_EQ(view.layers[0].time_ns, 20);
  EXPECT_EQ(view.latency_ns, 90);
}

TEST(View, LayersInLayersHaveTheirOwnTimeOnly) {
  Profile p;
  Timeline& t = p.timeline;
  const auto layer = [&](const char* name, std::int64_t from, std::int64_t to) {
    t.add({.level = Level::kLayer,
           .name = t.intern(name),
           .start_ns = from,
           .end_ns = to,
           .thread = t.intern("main")});
  };
  layer("loop", 0, 100);
  layer("body", 10, 30);
  layer("body", 40, 70);
  layer("inside", 45, 50);
  View view = build_view(p);
  ASSERT_EQ(view.layers.size(), 4U);
  EXPECT_EQ(view.layers[0].time_ns, 50);
  EXPECT_EQ(view.layers[1].time_ns, 20);
  EXPECT_EQ(view.layers[2].time_ns, 25);
  EXPECT_EQ(view.layers[3].time_ns, 5);
}

TEST(View, TimesThatDoNotFitAreCutAndCounted) {
  Profile p;
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 3; ++i)
    p.timeline.add({.level = Level::kKernel, .start_ns = -far, .end_ns = far});
  View view = build_view(p);
  EXPECT_EQ(view.out_of_range, 3U);
  EXPECT_EQ(ask("A15", {p}).find("error"), std::string::npos);
}

TEST(Show, EachAbsentLevelHasItsOwnReason) {
  Profile p;
  const SpanId run = p.timeline.add({.level = Level::kModel, .end_ns = 9});
  p.timeline.attribute("absent", "kernel: not told by the runtime; thread, counter: not asked for");
  p.timeline.add({.parent = run, .level = Level::kLayer, .end_ns = 5});
  const std::vector<View> views = {build_view(p)};
  const std::string shown = view_text(show(views));
  EXPECT_NE(shown.find("kernel|0|?|?|not told by the runtime|"), std::string::npos) << shown;
  EXPECT_NE(shown.find("counter|0|?|?|not asked for|"), std::string::npos) << shown;
  EXPECT_NE(shown.find("library|0|?|?|nothing recorded it|"), std::string::npos) << shown;
}

TEST(Show, LevelsParentsAndClocksAreCounted) {
  Profile p = on_a_device();
  std::vector<View> views;
  views.push_back(build_view(p));
  EXPECT_EQ(view_text(show(views)),
            "run|of|what|count|first_ns|last_ns|remark|\n"
            "1|level|application|0|?|?|nothing recorded it|\n"
            "1|level|model|1|0|200|?|\n"
            "1|level|layer|2|10|120|?|\n"
            "1|level|library|3|20|115|?|\n"
            "1|level|kernel|3|50|160|?|\n"
            "1|level|thread|0|?|?|nothing recorded it|\n"
            "1|level|counter|0|?|?|nothing recorded it|\n"
            "1|parents|given by the file|0|?|?|?|\n"
            "1|parents|by correlation id|3|?|?|?|\n"
            "1|parents|by containment|5|?|?|?|\n"
            "1|parents|of these ambiguous|0|?|?|?|\n"
            "1|parents|orphaned|0|?|?|?|\n"
            "1|parents|roots|1|?|?|?|\n"
            "1|parents|broken|0|?|?|?|\n"
            "1|clock|negative durations|0|?|?|?|\n"
            "1|clock|overlapping in one lane|0|?|?|?|\n"
            "1|clock|starts before its cause|0|?|?|?|\n"
            "1|clock|out of range|0|?|?|?|\n"
            "1|rows|runs with something inside|1|?|?|?|\n"
            "1|rows|layers|2|?|?|?|\n"
            "1|rows|kernels|3|?|?|?|\n");
}

}  // namespace
}  // namespace ridge::trace
