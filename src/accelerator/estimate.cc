#include "accelerator/estimate.h"

#include <map>

namespace ridge::accelerator {
namespace {

/// Adds `count` times `part`; what is unknown in one part is unknown in the sum.
void add(PerOperand<std::int64_t>& sum, const PerOperand<std::int64_t>& part, std::int64_t count) {
  sum.ifmap += count * part.ifmap;
  sum.filter += count * part.filter;
  sum.ofmap += count * part.ofmap;
}

void add(LayerCost& sum, const LayerCost& part, std::int64_t count) {
  sum.folds += count * part.folds;
  sum.compute_cycles += count * part.compute_cycles;
  sum.stall_cycles += count * part.stall_cycles;
  add(sum.sram, part.sram, count);
  if (part.dram && sum.dram)
    add(*sum.dram, *part.dram, count);
  else
    sum.dram.reset();
}

LayerCost nothing() {
  LayerCost cost;
  cost.dram.emplace();
  return cost;
}

class Estimator {
 public:
  explicit Estimator(const ScalesimMachine& machine) : machine_(machine) {}

  LayerCost cost(const Layer& layer) {
    LayerCost sum = nothing();
    std::int64_t macs = 0;
    for (const Gemm& g : layer.gemms) {
      add(sum, of_one(g), g.count);
      macs += g.macs();
    }
    sum.utilization = utilization(macs, sum);
    return sum;
  }

  double utilization(std::int64_t macs, const LayerCost& cost) const {
    const auto elements = static_cast<double>(machine_.rows * machine_.columns);
    const auto cycles = static_cast<double>(cost.total_cycles());
    return cycles > 0 ? static_cast<double>(macs) / (elements * cycles) : 0;
  }

 private:
  const LayerCost& of_one(Gemm g) {
    g.count = 1;
    const auto [found, added] = known_.try_emplace(g);
    if (added) {
      const ScalesimCost c = scalesim(g, machine_);
      found->second = {.folds = c.folds,
                       .compute_cycles = c.cycles,
                       .stall_cycles = c.stall_cycles,
                       .sram = c.sram,
                       .dram = c.dram};
    }
    return found->second;
  }

  const ScalesimMachine& machine_;
  std::map<Gemm, LayerCost> known_;
};

Tile tile_of(const ScalesimMachine& m, std::string_view& order) {
  switch (m.dataflow) {
    case Dataflow::kOutputStationary:
      order = "n,m,k";
      return {m.rows, m.columns, 1};
    case Dataflow::kWeightStationary:
      order = "n,k,m";
      return {1, m.columns, m.rows};
    case Dataflow::kInputStationary:
      order = "m,k,n";
      return {m.columns, 1, m.rows};
  }
  return {};
}

}  // namespace

Estimate estimate(const std::vector<Layer>& layers, const ScalesimMachine& machine) {
  Estimate out;
  out.convention = "scalesim";
  out.machine = machine;
  out.tile = tile_of(machine, out.loop_order);
  Estimator estimator(machine);
  out.totals = nothing();
  std::int64_t macs = 0;
  for (const Layer& layer : layers) {
    out.layers.push_back(estimator.cost(layer));
    if (layer.gemms.empty()) continue;
    add(out.totals, out.layers.back(), 1);
    macs += layer.macs;
  }
  out.totals.utilization = estimator.utilization(macs, out.totals);
  return out;
}

}  // namespace ridge::accelerator
