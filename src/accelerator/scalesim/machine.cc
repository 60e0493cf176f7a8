// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/machine.h"

namespace ridge::accelerator {

ScalesimMachine scalesim_machine(const Machine& m) {
  ScalesimMachine out{
      .rows = m.rows, .columns = m.columns, .dataflow = m.dataflow, .sram_bytes = m.sram.bytes};
  if (const std::int64_t third = m.sram.shared_bytes / 3; third > 0)
    out.sram_bytes = {third, third, third};
  return out;
}

}  // namespace ridge::accelerator
