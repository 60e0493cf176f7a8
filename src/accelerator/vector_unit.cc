#include "accelerator/vector_unit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accelerator/form.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t bytes_of(std::int64_t words, std::int64_t bits) {
  const std::int64_t all = times({words, bits});
  return all == kMost ? kMost : ceil_div(all, 8);
}

/// Cycles that DRAM needs for `bytes`; none where it has no bandwidth of its own.
std::int64_t dram_cycles(double bytes, double per_cycle) {
  if (!(per_cycle > 0)) return 0;
  const double cycles = std::ceil(bytes / per_cycle);
  return cycles < 0x1p63 ? static_cast<std::int64_t>(cycles) : kMost;
}

}  // namespace

LayerCost vector_cost(const VectorWork& work, const Machine& machine) {
  LayerCost out;
  if (machine.vector.lanes < 1) {
    out.dram.emplace();
    out.latency_ns = 0;
    out.energy.emplace();
    return out;
  }
  out.sram = {.ifmap = work.read, .ofmap = work.written};
  out.dram = out.sram;
  out.dram_read_bytes = bytes_of(work.read, machine.widths.bits.ifmap);
  out.dram_write_bytes = bytes_of(work.written, machine.widths.bits.ofmap);
  out.compute_cycles = ceil_div(work.operations, machine.vector.lanes);
  const double bytes =
      static_cast<double>(out.dram_read_bytes) + static_cast<double>(out.dram_write_bytes);
  const std::int64_t cycles =
      std::max(out.compute_cycles, dram_cycles(bytes, machine.dram_bytes_per_cycle()));
  out.stall_cycles = cycles - out.compute_cycles;
  out.latency_ns = static_cast<double>(cycles) * machine.cycle_ns();
  if (cycles == 0) return out;
  out.bound = out.stall_cycles == 0                         ? Bound::kVector
              : out.dram_read_bytes >= out.dram_write_bytes ? Bound::kDramIfmap
                                                            : Bound::kDramOfmap;
  return out;
}

}  // namespace ridge::accelerator
