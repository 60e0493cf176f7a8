// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/scalesim_reports.h"

#include <fmt/format.h>

#include <string_view>

#include "accelerator/scalesim/folds.h"
#include "accelerator/scalesim/machine.h"

namespace ridge::exports {
namespace {

using accelerator::Dataflow;
using accelerator::LayerCost;
using accelerator::ScalesimMachine;

/// v3 has a second column "Total Cycles (incl. prefetch)".
constexpr std::string_view kComputeHead =
    "Total Cycles, Stall Cycles, Overall Util %, Mapping Efficiency %, Compute Util %,\n";
constexpr std::string_view kDetailedHead =
    "LayerID, SRAM IFMAP Start Cycle, SRAM IFMAP Stop Cycle, SRAM IFMAP Reads, SRAM Filter Start "
    "Cycle, SRAM Filter Stop Cycle, SRAM Filter Reads, SRAM OFMAP Start Cycle, SRAM OFMAP Stop "
    "Cycle, SRAM OFMAP Writes, DRAM IFMAP Start Cycle, DRAM IFMAP Stop Cycle, DRAM IFMAP Reads, "
    "DRAM Filter Start Cycle, DRAM Filter Stop Cycle, DRAM Filter Reads, DRAM OFMAP Start Cycle, "
    "DRAM OFMAP Stop Cycle, DRAM OFMAP Writes,\n";

/// Means over folds, 0..1, as in systolic_compute_{os,ws,is}.py.
struct Shares {
  double mapped = 0;    ///< share of the array that a fold fills
  double computed = 0;  ///< `mapped` times the share of the fold's cycles that stream
};

Shares shares_of(const accelerator::Layer& layer, const ScalesimMachine& m) {
  double folds = 0;
  Shares sum;
  const auto units = static_cast<double>(m.rows * m.columns);
  for (const accelerator::Gemm& g : layer.gemms) {
    const accelerator::Folds f = scalesim_folds(g, m);
    const double mapped = static_cast<double>(f.rows) * static_cast<double>(f.columns) / units;
    // SCALE-Sim's cycles of a fold include the skew over the columns for ws and is, not for os.
    const std::int64_t cycles =
        f.cycles_of_one + (m.dataflow == Dataflow::kOutputStationary ? 0 : m.columns - 1);
    const auto count = static_cast<double>(g.count);
    sum.mapped += count * mapped;
    sum.computed += count * mapped * static_cast<double>(f.stream) / static_cast<double>(cycles);
    folds += count * static_cast<double>(f.count());
  }
  return folds > 0 ? Shares{sum.mapped / folds, sum.computed / folds} : sum;
}

std::string detail_report(std::int64_t words) { return fmt::format(" , , {},", words); }

}  // namespace

ScalesimReports scalesim_reports(const accelerator::StudyPoint& point) {
  const accelerator::Machine* described = point.described();
  const ScalesimMachine machine = described != nullptr ? scalesim_machine(*described)
                                                       : std::get<ScalesimMachine>(point.machine);
  const std::string_view first =
      machine.version3 ? "LayerID, Total Cycles (incl. prefetch), " : "LayerID, ";
  ScalesimReports out{std::string(first) + std::string(kComputeHead), std::string(kDetailedHead)};
  for (std::size_t i = 0; i < point.estimate.layers.size(); ++i) {
    const accelerator::Layer& layer = point.network->lowered.layers[i];
    const LayerCost& c = point.estimate.layers[i];
    if (layer.gemms.empty()) continue;
    const Shares shares = shares_of(layer, machine);
    out.compute += fmt::format("{}, ", i);
    if (machine.version3)
      out.compute +=
          (c.cycles_with_prefetch ? fmt::format("{}", *c.cycles_with_prefetch) : "") + ", ";
    // v3 counts the multiply-accumulates with zeros, too.
    const double used = static_cast<double>(layer.macs) /
                        static_cast<double>(c.total_cycles() * machine.rows * machine.columns);
    out.compute += fmt::format("{}, {}, {}, {}, {},\n", c.total_cycles(), c.stall_cycles,
                               100 * (machine.sparse ? used : c.utilization), 100 * shares.mapped,
                               100 * shares.computed);
    out.detailed += fmt::format("{},{}{}{}", i, detail_report(c.sram.ifmap),
                                detail_report(c.sram.filter), detail_report(c.sram.ofmap));
    out.detailed += c.dram ? detail_report(c.dram->ifmap) + detail_report(c.dram->filter) +
                                 detail_report(c.dram->ofmap)
                           : std::string(" , , , , , , , , ,");
    out.detailed += "\n";
  }
  return out;
}

}  // namespace ridge::exports
