// SPDX-License-Identifier: Apache-2.0
// Cost of recording an event, and of correlating and querying a million spans.
//
//   build/bench/ridge_bench --benchmark_filter=Trace
//
// Documented limits (docs/trace.md): 100 ns per event, 2 s for a million spans.
#include <benchmark/benchmark.h>

#include "runtime/child/events.h"
#include "trace/build_view.h"
#include "trace/queries.h"
#include "trace/testing.h"

namespace ridge {
namespace {

using profile::Level;
using profile::Timeline;

/// Adds a span with two attributes whose texts are already interned, as from the second run on.
void TraceTimelineAdd(benchmark::State& state) {
  Timeline t;
  std::vector<profile::TextId> names;
  for (int i = 0; i < 64; ++i) names.push_back(t.intern(fmt::format("/layers.{}/conv/Conv", i)));
  const profile::TextId type = t.intern("type"), conv = t.intern("Conv"),
                        implementation = t.intern("implementation"), cpu = t.intern("CPU");
  std::int64_t n = 0;
  for (auto _ : state) {
    t.add({.level = Level::kLibrary,
           .name = names[static_cast<std::size_t>(n % 64)],
           .start_ns = n,
           .end_ns = n + 10});
    t.attribute(type, conv);
    t.attribute(implementation, cpu);
    ++n;
  }
  benchmark::DoNotOptimize(t.spans().data());
}
BENCHMARK(TraceTimelineAdd);

/// Adds a span with two attributes from texts, each of which is hashed once.
void TraceTimelineAddTexts(benchmark::State& state) {
  std::vector<std::string> names;
  for (int i = 0; i < 64; ++i) names.push_back(fmt::format("/layers.{}/conv/Conv", i));
  Timeline t;
  std::int64_t n = 0;
  for (auto _ : state) {
    t.add({.level = Level::kLibrary,
           .name = t.intern(names[static_cast<std::size_t>(n % 64)]),
           .start_ns = n,
           .end_ns = n + 10});
    t.attribute("type", "Conv");
    t.attribute("implementation", "CPUExecutionProvider");
    ++n;
  }
  benchmark::DoNotOptimize(t.spans().data());
}
BENCHMARK(TraceTimelineAddTexts);

/// Records an event as a plug-in reports it, in runs of 64 kernels.
void TraceRecorderEvent(benchmark::State& state) {
  std::vector<std::string> names;
  for (int i = 0; i < 64; ++i) names.push_back(fmt::format("/layers.{}/conv/Conv_kernel", i));
  runtime::Recorder recorder;
  const RidgeProfileSink sink = recorder.sink();
  RidgeEvent event{};
  event.size = sizeof(event);
  event.level = RIDGE_LEVEL_LAYER;
  event.type = "Conv";
  event.implementation = "CPUExecutionProvider";
  event.shapes = "[{\"float\":[1,64,56,56]}]";
  std::int64_t n = 0;
  for (auto _ : state) {
    if (n % 64 == 0) {
      benchmark::DoNotOptimize(recorder.end());
      recorder.begin({});
    }
    event.name = names[static_cast<std::size_t>(n % 64)].c_str();
    event.start_ns = n;
    event.stop_ns = n + 1;
    sink.event(sink.context, &event);
    ++n;
  }
}
BENCHMARK(TraceRecorderEvent);

/// Trace of 100 runs with two launches and two kernels per layer: about 1,000,000 spans.
trace::testing::Made million() {
  return trace::testing::make({.runs = 100, .layers = 1667, .kernels_per_layer = 2, .streams = 4});
}

void TraceCorrelateMillion(benchmark::State& state) {
  const trace::testing::Made made = million();
  for (auto _ : state) {
    state.PauseTiming();
    Timeline t = made.timeline;
    state.ResumeTiming();
    const trace::Correlation c = trace::correlate(t);
    state.counters["spans"] = static_cast<double>(c.spans);
    state.counters["orphaned"] = static_cast<double>(c.orphaned);
  }
}
BENCHMARK(TraceCorrelateMillion)->Unit(benchmark::kMillisecond);

/// Correlation, rows and one query: the work of `ridge trace query` after reading.
void TraceQueryMillion(benchmark::State& state) {
  const trace::testing::Made made = million();
  const std::string_view query = trace::queries()[static_cast<std::size_t>(state.range(0))].name;
  state.SetLabel(std::string(query));
  for (auto _ : state) {
    state.PauseTiming();
    profile::Profile p;
    p.timeline = made.timeline;
    state.ResumeTiming();
    std::vector<trace::View> views;
    views.push_back(trace::build_view(p));
    benchmark::DoNotOptimize(trace::run_query(query, views));
  }
}
BENCHMARK(TraceQueryMillion)
    ->Arg(5)
    ->Arg(7)
    ->Arg(9)
    ->Arg(12)
    ->Arg(16)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge
