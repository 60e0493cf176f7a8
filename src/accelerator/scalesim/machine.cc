#include "accelerator/scalesim/machine.h"

namespace ridge::accelerator {

ScalesimMachine scalesim_machine(const Machine& m) {
  ScalesimMachine out{m.rows, m.columns, m.dataflow, m.sram.bytes, std::nullopt};
  if (const std::int64_t third = m.sram.shared_bytes / 3; third > 0)
    out.sram_bytes = {third, third, third};
  return out;
}

}  // namespace ridge::accelerator
