// SPDX-License-Identifier: Apache-2.0
#include "accelerator/vector_unit.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::accelerator {
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
  out.dram_read_bytes = word_bytes(work.read, machine.widths.bits.ifmap);
  out.dram_write_bytes = word_bytes(work.written, machine.widths.bits.ofmap);
  out.vector_operations = work.operations;
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
