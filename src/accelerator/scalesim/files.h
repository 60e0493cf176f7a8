// SCALE-Sim's own files: the machine (.cfg) and the network (topology CSV).
//
//   ScalesimMachine m = TRY(read_scalesim_config(text));
//   std::vector<TopologyLayer> layers = TRY(read_topology(text));
//
// The rows of a topology have 8 or 9 fields (name, ifmap height and width, filter height and width,
// channels, filters, stride, second stride) or 4 (name, M, N, K: the format of `-i gemm`). A layer
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

Result<ScalesimMachine> read_scalesim_config(std::string_view text);

}  // namespace ridge::accelerator
