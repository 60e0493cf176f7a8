// SPDX-License-Identifier: Apache-2.0
// A run database with many runs, for bench/serve_load.py and bench/serve_paint.mjs: the first is as
// large as resnet50's with 1,000 samples, the others are small. Models, runtimes, machines and
// numbers of threads take turns. Appends to a file or a PostgreSQL server.
//
//   build/bench/ridge_many_runs runs.db 10000
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "base/number.h"
#include "store/store.h"

namespace ridge::bench {
namespace {

constexpr const char* kModels[] = {"zoo:resnet50",  "zoo:vgg16",         "zoo:mobilenet_v2",
                                   "zoo:bert_base", "zoo:squeezenet1_1", "zoo:densenet121",
                                   "lab/unet.onnx", "lab/detector.onnx"};
constexpr const char* kRuntimes[] = {"ONNX Runtime", "OpenVINO"};
constexpr std::int64_t kFirstRecorded = 1'790'000'000, kBetween = 600;
constexpr int kHosts = 12, kLayers = 70, kLayersOfSmall = 3;
constexpr std::size_t kHostBytes = 1000;  // as large as a description of a host is

profile::Profile run_of(std::int64_t number) {
  profile::Profile p;
  p.subject.path = kModels[number % std::ssize(kModels)];
  p.subject.runtime = kRuntimes[number / 8 % 2];
  p.subject.runtime_version = "1.2";
  p.subject.threads = 1 << (number / 16 % 3);
  p.host_json = fmt::format(
      R"({{"hostname":"node{}","cpu":{{"model":"simulated","flags":"{}"}},"logical_cpus":8}})",
      number % kHosts, std::string(kHostBytes, 'f'));
  const double time = 1e6 * static_cast<double>(20 + number % 97);
  p.latency.ns = {time, {{time * 0.98, time * 1.02}}};
  p.items_per_s = 1e9 / time;
  if (number == 0)
    for (std::int64_t process = 0; process < 5; ++process)
      p.latency.processes.push_back(
          {std::vector<std::int64_t>(200, 20'000'000 + process), 3, "flat"});
  const int layers = number == 0 ? kLayers : kLayersOfSmall;
  for (int i = 0; i < layers; ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    profile::Layer layer{.index = index, .name = fmt::format("/layer{}/Conv", i)};
    layer.type = "Conv";
    layer.time_ns = {time / layers, {{time / layers, time / layers}}};
    layer.members.push_back({index, profile::Role::kExecutes, profile::Evidence::kRuntimeList});
    p.layers.push_back(std::move(layer));
    profile::Node node{.index = index};
    node.name = p.layers.back().name;
    node.op_type = "Conv";
    p.nodes.push_back(std::move(node));
  }
  p.load_ns = number;  // no run is the same as another
  return p;
}

int append(const std::string& name, std::int64_t count) {
  Result<store::Store> store = store::Store::open(name, store::Access::kCreate);
  for (std::int64_t i = 0; store.ok() && i < count; ++i) {
    const auto kept = store->append(run_of(i), {.recorded_s = kFirstRecorded + i * kBetween});
    if (!kept.ok()) return fmt::print(stderr, "{}", kept.error().text()), 1;
  }
  if (!store.ok()) fmt::print(stderr, "{}", store.error().text());
  return store.ok() ? 0 : 1;
}

}  // namespace
}  // namespace ridge::bench

int main(int argc, char** argv) {
  const auto count = argc == 3 ? ridge::whole_number<std::int64_t>(argv[2]) : std::nullopt;
  if (!count) return fmt::print(stderr, "usage: ridge_many_runs STORE COUNT\n"), 2;
  return ridge::bench::append(argv[1], *count);
}
