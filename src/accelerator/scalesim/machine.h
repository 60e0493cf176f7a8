// SPDX-License-Identifier: Apache-2.0
// Machine as SCALE-Sim describes it: one array and a buffer for each operand. Plain data; pure
// function.
#pragma once

#include <cstdint>
#include <optional>

#include "accelerator/machine.h"

namespace ridge::accelerator {

struct ScalesimMachine {
  std::int64_t rows = 32, columns = 32;
  Dataflow dataflow = Dataflow::kOutputStationary;
  PerOperand<std::int64_t> sram_bytes;
  /// Words per cycle of each operand's port (mode USER); nullopt: mode CALC, which never stalls.
  std::optional<std::int64_t> bandwidth;
  bool sparse = false;    ///< SparsitySupport of v3: filters have the N:M sparsity of their layers
  bool version3 = false;  ///< the configuration has keys of v3
};

/// Machine in mode CALC; a shared SRAM is split into a third for each operand, since SCALE-Sim has
/// no shared SRAM.
ScalesimMachine scalesim_machine(const Machine& machine);

}  // namespace ridge::accelerator
