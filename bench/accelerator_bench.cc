// SPDX-License-Identifier: Apache-2.0
// Run time of accelerator estimates.
//
//   build/bench/ridge_bench --benchmark_filter=Accelerator
#include <benchmark/benchmark.h>

#include <memory>
#include <set>
#include <vector>

#include "accelerator/estimate.h"
#include "accelerator/lowering.h"
#include "zoo/zoo.h"

namespace ridge::accelerator {
namespace {

/// Layers of resnet50 at batch 1.
std::vector<Layer> resnet50() {
  auto document = zoo::make("resnet50");
  if (!document.ok()) return {};
  auto model =
      graph::Model::build(std::make_shared<const onnx::Document>(std::move(document).value()));
  if (!model.ok()) return {};
  const auto resolved = analysis::resolve(
      std::make_shared<const graph::Model>(std::move(model).value()), {}, {{"batch", 1}});
  return resolved.ok() ? lower(*resolved).layers : std::vector<Layer>();
}

Machine machine_of(std::int64_t i) {
  Machine m;
  m.rows = 8 + 4 * (i % 10);
  m.columns = 8 + 4 * (i / 10);
  m.sram.shared_bytes = (128 + 16 * i) << 10;
  m.dram = {4.0 + static_cast<double>(i), 100};
  m.clock_mhz = 1000;
  return m;
}

/// All distinct products on 100 machines in three dataflows, with fixed tiles and loop order.
void AcceleratorFixedMapping(benchmark::State& state) {
  const std::vector<Layer> layers = resnet50();
  std::set<Gemm> products;
  for (const Layer& layer : layers) products.insert(layer.gemms.begin(), layer.gemms.end());
  for (auto _ : state)
    for (const Gemm& g : products) {
      const Tiles tiles(g, {std::min<std::int64_t>(g.m, 448), std::min<std::int64_t>(g.n, 64),
                            std::min<std::int64_t>(g.k, 576)});
      for (std::int64_t i = 0; i < 100; ++i)
        for (const Dataflow d : kDataflows) {
          const Mapping how{.dataflow = d, .tile = {}, .order = kLoopOrders[1]};
          benchmark::DoNotOptimize(overlapped(tiles, machine_of(i), how));
        }
    }
  state.counters["products"] = static_cast<double>(products.size());
}
BENCHMARK(AcceleratorFixedMapping)->Unit(benchmark::kMillisecond);

/// Search of tiles, loop orders and dataflows on one machine.
void AcceleratorSearch(benchmark::State& state) {
  const std::vector<Layer> layers = resnet50();
  const Machine m = machine_of(state.range(0));
  const EstimateOptions q{.any_dataflow = true, .sensitivity = false};
  for (auto _ : state) benchmark::DoNotOptimize(estimate(layers, m, {}, q));
}
BENCHMARK(AcceleratorSearch)->Arg(0)->Arg(50)->Arg(99)->Unit(benchmark::kMillisecond);

/// Simulation of the demands in SCALE-Sim's buffers, mode CALC.
void AcceleratorScalesim(benchmark::State& state) {
  const std::vector<Layer> layers = resnet50();
  const ScalesimMachine m{32,
                          32,
                          kDataflows[static_cast<std::size_t>(state.range(0))],
                          {1 << 16, 1 << 16, 1 << 16},
                          {}};
  state.SetLabel(std::string(name(m.dataflow)));
  for (auto _ : state) benchmark::DoNotOptimize(estimate(layers, m));
}
BENCHMARK(AcceleratorScalesim)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge::accelerator
