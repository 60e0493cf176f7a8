// SPDX-License-Identifier: Apache-2.0
// SCALE-Sim's own files: the machine (.cfg) and the network (topology CSV).
//
//   ScalesimMachine m = TRY(read_scalesim_config(text));
//   std::vector<TopologyLayer> layers = TRY(read_topology(text));
//
// The rows of a topology have 8 or 9 fields (name, ifmap height and width, filter height and width,
// channels, filters, stride, second stride) or 4 (name, M, N, K: the format of `-i gemm`). In v3 a
// last field N:M states the sparsity of the filter, 1:1 if it is left out. A layer
// whose name contains DP is depthwise: one product per channel. Errors (input class) state the
// line. Bounded: 64 KiB of configuration, 100,000 layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/gemm.h"
#include "accelerator/scalesim/machine.h"
#include "base/result.h"

namespace ridge::accelerator {

struct TopologyLayer {
  std::string name;
  Gemm gemm;
};

Result<std::vector<TopologyLayer>> read_topology(std::string_view text);

/// Parses "M,N,K" or "M,N,K,count".
Result<Gemm> parse_gemm(std::string_view text);

/// Key names ignore case, as in SCALE-Sim. Error (input class): what v3 would change and is not
/// modeled: OptimizedMapping, UseRamulatorTrace, custom layouts, sparsity or bandwidths of banks of
/// their own in mode USER.
Result<ScalesimMachine> read_scalesim_config(std::string_view text);

}  // namespace ridge::accelerator
