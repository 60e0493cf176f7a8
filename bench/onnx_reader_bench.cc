// SPDX-License-Identifier: Apache-2.0
// Time and memory for opening a model: a graph of 200,000 nodes (9 MB), 1 and 16 GiB of weights
// inside the file, and the reference networks where available (RIDGE_SHARED, or ../shared).
// Counters: peak_MiB is the peak growth of the process, arena_MiB the memory that the Document
// keeps.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/writer.h"

namespace ridge::onnx {
namespace {

namespace fs = std::filesystem;
using testing::field;
using testing::varint;
using testing::wire;

constexpr double kMiB = 1 << 20;

/// Field of /proc/self/status in MiB.
double status_mib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stod(line.substr(key.size() + 1)) / 1024;
  }
  return 0;
}

/// Resets VmHWM, the peak of resident memory.
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::string chain_of_nodes(int count) {
  std::string graph;
  for (int i = 0; i < count; ++i) {
    graph +=
        field(1, field(1, fmt::format("value_{}", i)) + field(2, fmt::format("value_{}", i + 1)) +
                     field(3, fmt::format("node_{}", i)) + field(4, "Relu"));
  }
  const std::string type =
      wire("tensor_type { elem_type: 1 shape { dim { dim_value: 8 } } }", "type");
  graph += field(11, field(1, "value_0") + field(2, type));
  graph += field(12, field(1, fmt::format("value_{}", count)) + field(2, type));
  return wire("ir_version: 8") + field(7, graph) + wire("opset_import { version: 17 }");
}

/// Writes `count` weights of 4 MiB. The elements are holes in the file, which read as zeros.
void write_weights(const std::string& path, int count) {
  const int fd = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const auto put = [&](const std::string& bytes, std::uint64_t at) {
    if (::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at)) < 0) {
      throw std::runtime_error("cannot write " + path);
    }
  };
  constexpr std::uint64_t kBytes = 4 << 20;
  const auto head = [&](int i) {
    const std::string inside = wire("dims: 1048576 data_type: 1", "tensor") +
                               field(8, fmt::format("weight_{:06}", i)) + varint(9 << 3 | 2) +
                               varint(kBytes);
    return varint(5 << 3 | 2) + varint(inside.size() + kBytes) + inside;
  };
  const std::uint64_t one = head(0).size() + kBytes;
  std::string start =
      wire("ir_version: 8") + varint(7 << 3 | 2) + varint(one * static_cast<std::uint64_t>(count));
  std::uint64_t at = start.size();
  put(start, 0);
  for (int i = 0; i < count; ++i, at += one) put(head(i), at);
  put(wire("opset_import { version: 17 }"), at);
  ::close(fd);
}

void read_repeatedly(benchmark::State& state, const std::string& path) {
  double peak = 0, arena = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ::malloc_trim(0);  // reused memory of the previous round would hide the growth
    const double before = status_mib("VmRSS:");
    reset_peak();
    state.ResumeTiming();
    auto document = read_file(path);
    state.PauseTiming();
    if (!document) return state.SkipWithError(document.error().summary().c_str());
    peak = std::max(peak, status_mib("VmHWM:") - before);
    arena = static_cast<double>(document->arena.bytes_used()) / kMiB;
    { auto gone = std::move(document); }
    state.ResumeTiming();
  }
  state.counters["peak_MiB"] = peak;
  state.counters["arena_MiB"] = arena;
  state.counters["file_MiB"] = static_cast<double>(fs::file_size(path)) / kMiB;
}

void BM_ReadManyNodes(benchmark::State& state) {
  const testing::TemporaryFolder folder;
  read_repeatedly(state, folder.make("m.onnx", chain_of_nodes(static_cast<int>(state.range(0)))));
}
BENCHMARK(BM_ReadManyNodes)->Arg(200'000)->Unit(benchmark::kMillisecond);

void BM_ReadWeightsInside(benchmark::State& state) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("m.onnx");
  write_weights(path, static_cast<int>(state.range(0) / 4));
  read_repeatedly(state, path);
}
BENCHMARK(BM_ReadWeightsInside)->Arg(1024)->Arg(16 * 1024)->Unit(benchmark::kMillisecond);

void BM_ReadReferenceNetwork(benchmark::State& state, const std::string& name) {
  const char* shared = std::getenv("RIDGE_SHARED");
  const fs::path path = fs::path(shared != nullptr ? shared : "../shared") / "models" / name;
  if (!fs::exists(path)) return state.SkipWithError("the reference networks are not here");
  read_repeatedly(state, path.string());
}
BENCHMARK_CAPTURE(BM_ReadReferenceNetwork, resnet50, "resnet50.onnx")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_ReadReferenceNetwork, swin_t, "swin_t.onnx")->Unit(benchmark::kMicrosecond);

void BM_WriteDetached(benchmark::State& state) {
  const Document d = read_bytes(chain_of_nodes(static_cast<int>(state.range(0))), "chain").value();
  for (auto _ : state) {
    auto bytes = write_bytes(d, {.weights = Weights::kDetached});
    benchmark::DoNotOptimize(bytes);
  }
}
BENCHMARK(BM_WriteDetached)->Arg(200'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge::onnx
