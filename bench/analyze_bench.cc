// SPDX-License-Identifier: Apache-2.0
// Run time of the steps of an analysis, on resnet50 and on a large graph: reading the file,
// building the model, resolving shapes and counts, writing documents.
//
//   bench/large_model.py large.onnx
//   RIDGE_LARGE_MODEL=large.onnx build/bench/ridge_bench --benchmark_filter=Analyze
//
// bench/analyze_process.py measures whole processes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>

#include "analysis/resolved.h"
#include "analysis/traffic/traffic.h"
#include "export/analysis/json.h"
#include "export/analysis/table.h"
#include "onnx/reader.h"
#include "zoo/zoo.h"

namespace ridge {
namespace {

class Discard final : public Sink {
 public:
  void write(std::string_view text) override { bytes_ += text.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// resnet50 of the zoo, or the file named by RIDGE_LARGE_MODEL.
Result<onnx::Document> document(bool large) {
  const char* path = std::getenv("RIDGE_LARGE_MODEL");
  if (!large) return zoo::make("resnet50");
  if (path == nullptr)
    return usage_error("RIDGE-BENCH-0001", "RIDGE_LARGE_MODEL is not set")
        .hint("bench/large_model.py FILE makes one");
  return onnx::read_file(path);
}

std::shared_ptr<const graph::Model> model(bool large) {
  Result<onnx::Document> d = document(large);
  if (!d.ok()) return nullptr;
  Result<graph::Model> m =
      graph::Model::build(std::make_shared<const onnx::Document>(std::move(d).value()));
  return m.ok() ? std::make_shared<const graph::Model>(std::move(m).value()) : nullptr;
}

void report(benchmark::State& state, const graph::Model& m) {
  state.counters["nodes"] = static_cast<double>(m.nodes().size());
  state.counters["nodes/s"] = benchmark::Counter(static_cast<double>(m.nodes().size()),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void AnalyzeRead(benchmark::State& state) {
  if (!document(true).ok()) return state.SkipWithError("set RIDGE_LARGE_MODEL");
  for (auto _ : state) benchmark::DoNotOptimize(document(true));
}
BENCHMARK(AnalyzeRead)->Unit(benchmark::kMillisecond);

void AnalyzeBuild(benchmark::State& state) {
  Result<onnx::Document> d = document(state.range(0) != 0);
  if (!d.ok()) return state.SkipWithError("set RIDGE_LARGE_MODEL");
  const auto shared = std::make_shared<const onnx::Document>(std::move(d).value());
  for (auto _ : state) benchmark::DoNotOptimize(graph::Model::build(shared));
}
BENCHMARK(AnalyzeBuild)->ArgName("large")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void AnalyzeResolve(benchmark::State& state) {
  const auto m = model(state.range(0) != 0);
  if (!m) return state.SkipWithError("set RIDGE_LARGE_MODEL");
  for (auto _ : state) benchmark::DoNotOptimize(analysis::resolve(m, {}));
  report(state, *m);
}
BENCHMARK(AnalyzeResolve)->ArgName("large")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Traffic without fusion and with the runtime's patterns, which take longest.
void AnalyzeTraffic(benchmark::State& state) {
  const auto m = model(state.range(0) != 0);
  if (!m) return state.SkipWithError("set RIDGE_LARGE_MODEL");
  const Result<analysis::Resolved> r = analysis::resolve(m, {});
  const analysis::TrafficModel past{std::int64_t{32} << 20, state.range(1) == 0
                                                                ? analysis::Fuse::kNone
                                                                : analysis::Fuse::kRuntime};
  for (auto _ : state) benchmark::DoNotOptimize(analysis::traffic(*r, past));
  report(state, *m);
}
BENCHMARK(AnalyzeTraffic)
    ->ArgNames({"large", "fused"})
    ->ArgsProduct({{0, 1}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

void AnalyzeJson(benchmark::State& state) {
  const auto m = model(state.range(0) != 0);
  if (!m) return state.SkipWithError("set RIDGE_LARGE_MODEL");
  const Result<analysis::Resolved> r = analysis::resolve(m, {});
  Discard sink;
  for (auto _ : state) exports::write_analysis_document(*r, {}, sink);
  state.SetBytesProcessed(static_cast<std::int64_t>(sink.bytes()));
  report(state, *m);
}
BENCHMARK(AnalyzeJson)->ArgName("large")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void AnalyzePage(benchmark::State& state) {
  const auto m = model(state.range(0) != 0);
  if (!m) return state.SkipWithError("set RIDGE_LARGE_MODEL");
  const Result<analysis::Resolved> r = analysis::resolve(m, {});
  Discard sink;
  for (auto _ : state) exports::write_analysis_text(*r, {.top = 20}, sink);
  report(state, *m);
}
BENCHMARK(AnalyzePage)->ArgName("large")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge
