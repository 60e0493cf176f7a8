// SPDX-License-Identifier: Apache-2.0
// A large run in the store and as JSON: 20,000 layers of 3 runs each, 300,000 spans. A run of
// resnet50's size, and a list of 10,000 runs, in a file and in a PostgreSQL server.
//
//   build/bench/ridge_bench --benchmark_filter='Run|Resnet50|List'
#include <benchmark/benchmark.h>

#include <string>

#include "base/sink.h"
#include "base/temporary_folder.h"
#include "profile/json.h"
#include "profile/read.h"
#include "store/postgres/testing.h"
#include "store/run_rows.h"
#include "store/store.h"

namespace ridge::bench {
namespace {

using profile::Profile;

profile::Layer layer_row(std::uint32_t i) {
  const double time = 1000 + 0.37 * i;
  profile::Layer l{.index = i, .name = "/encoder/layer." + std::to_string(i) + "/attention/MatMul"};
  l.type = "MatMul";
  l.implementation = "CPUExecutionProvider MatMul";
  l.precision = "float32";
  l.layout = "plain";
  l.order = i;
  l.time_ns = {time, {{time * 0.99, time * 1.01}}};
  l.corrected_ns = time * 0.98;
  l.corrected = stats::Estimate{l.corrected_ns, {{time * 0.97, time}}};
  l.runs_ns = {1000 + i, 1001 + i, 1003 + i};
  l.share = 1.0 / (i + 1);
  l.kernels.push_back({l.name, "MatMul", l.time_ns});
  l.members.push_back({i, profile::Role::kExecutes, profile::Evidence::kRuntimeList});
  l.work = {4096L * i, i, 0, 0};
  l.bytes = 8192L * i;
  l.output_bytes = 4096L * i;
  l.least = {4096L * i, 8000L * i, 8192L * i, 1, 10L * i};
  l.flop_per_s = 1e9 + 3.7 * i;
  l.bytes_per_s = 2e9 + 1.3 * i;
  l.intensity = 0.5 + 1e-4 * i;
  l.bound = {"memory:L2", time * 0.5, 0.5, ""};
  l.module = "/encoder/layer." + std::to_string(i);
  return l;
}

void add_spans(profile::Timeline& t) {
  for (std::uint32_t i = 0; i < 300'000; ++i) {
    profile::Span s{.level = i % 3 == 0 ? profile::Level::kLayer : profile::Level::kKernel};
    if (i % 3 != 0) s.parent = i - i % 3;
    s.name = t.intern("gemm_" + std::to_string(i % 20'000));
    s.start_ns = 1000L * i;
    s.end_ns = s.start_ns + 700;
    s.thread = t.intern(std::to_string(i % 8));
    t.add(s);
    if (i % 3 == 0) t.attribute("node", std::to_string(i % 20'000));
  }
}

const Profile& large_run() {
  static const Profile made = [] {
    Profile p;
    p.subject.path = "large.onnx";
    p.subject.runtime = "ONNX Runtime";
    p.subject.threads = 8;
    p.host_json = R"({"hostname":"bench"})";
    p.latency.ns = {2e7, {{1.9e7, 2.1e7}}};
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      p.layers.push_back(layer_row(i));
      profile::Node n{.index = i};
      n.name = p.layers[i].name;
      n.op_type = "MatMul";
      n.status = "counted";
      n.work = p.layers[i].work;
      n.output_shape = "1x128x768 float32";
      p.nodes.push_back(std::move(n));
    }
    p.modules.push_back({.path = "", .layers = 20'000});
    add_spans(p.timeline);
    return p;
  }();
  return made;
}

class Discarded final : public Sink {
 public:
  void write(std::string_view text) override { bytes_ += text.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

std::string json_of_run() {
  StringSink sink;
  profile::write_json(large_run(), sink);
  return sink.text();
}

void RunJsonWrite(benchmark::State& state) {
  large_run();
  for (auto _ : state) {
    Discarded sink;
    profile::write_json(large_run(), sink);
    benchmark::DoNotOptimize(sink.bytes());
  }
}
BENCHMARK(RunJsonWrite)->Unit(benchmark::kMillisecond);

void RunJsonRead(benchmark::State& state) {
  const std::string text = json_of_run();
  for (auto _ : state) {
    const auto read = profile::read_profiles(text);
    if (!read.ok()) state.SkipWithError(read.error().text().c_str());
  }
}
BENCHMARK(RunJsonRead)->Unit(benchmark::kMillisecond);

void RunDigest(benchmark::State& state) {
  large_run();
  for (auto _ : state) benchmark::DoNotOptimize(store::content_of(large_run()));
}
BENCHMARK(RunDigest)->Unit(benchmark::kMillisecond);

/// In a file (0), or in a schema of a server (1).
store::Store new_store(const TemporaryFolder& folder, std::int64_t kind) {
  std::string place = folder.path() + "/runs.db";
  if (kind == 1) {
    store::postgres::TestServer* server = store::postgres::TestServer::get();
    place = server ? server->new_schema() : "postgresql://?service=not_installed";
  }
  return std::move(store::Store::open(place, store::Access::kCreate).value());
}

void RunAppend(benchmark::State& state) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make().value());
  store::Store store = new_store(folder, state.range(0));
  Profile p = large_run();
  for (auto _ : state) {
    const auto kept = store.append(p);
    if (!kept.ok() || !kept->added) state.SkipWithError("not stored");
    state.PauseTiming();
    (void)store.remove(kept->id);
    ++p.load_ns;
    state.ResumeTiming();
  }
}
BENCHMARK(RunAppend)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void RunRead(benchmark::State& state) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make().value());
  store::Store store = new_store(folder, state.range(0));
  const auto kept = store.append(large_run());
  for (auto _ : state) {
    const auto read = store.read(kept->id);
    if (!read.ok()) state.SkipWithError(read.error().text().c_str());
  }
}
BENCHMARK(RunRead)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// 122 nodes in 70 layers, 1,000 samples.
Profile resnet50_run() {
  Profile p;
  p.subject.path = "zoo:resnet50";
  p.subject.runtime = "ONNX Runtime";
  p.latency.ns = {2e7, {{1.9e7, 2.1e7}}};
  for (std::int64_t process = 0; process < 5; ++process)
    p.latency.processes.push_back(
        {std::vector<std::int64_t>(200, 20'000'000 + process), 3, "flat"});
  p.nodes.assign(large_run().nodes.begin(), large_run().nodes.begin() + 122);
  p.layers.assign(large_run().layers.begin(), large_run().layers.begin() + 70);
  return p;
}

void Resnet50Append(benchmark::State& state) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make().value());
  store::Store store = new_store(folder, state.range(0));
  Profile p = resnet50_run();
  for (auto _ : state) {
    ++p.load_ns;
    const auto kept = store.append(p);
    if (!kept.ok() || !kept->added) state.SkipWithError("not stored");
  }
}
BENCHMARK(Resnet50Append)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

void ListOf10000Runs(benchmark::State& state) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make().value());
  store::Store store = new_store(folder, state.range(0));
  Profile p = resnet50_run();
  p.latency.processes.clear();
  p.nodes.resize(3);
  p.layers.resize(3);
  for (int i = 0; i < 10'000; ++i) {
    ++p.load_ns;
    if (!store.append(p).ok()) state.SkipWithError("not stored");
  }
  for (auto _ : state)
    if (store.list()->size() != 10'000) state.SkipWithError("not listed");
}
BENCHMARK(ListOf10000Runs)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace ridge::bench
