// SCALE-Sim's own files: the machine (.cfg) and the network (topology CSV).
//
//   ScalesimMachine m = TRY(read_scalesim_config(text));
//   std::vector<TopologyLayer> layers = TRY(read_topology(text));
//
// A topology has rows of 8 or 9 fields (name, ifmap height and width, filter height and width,
// channels, filters, stride, second stride) or of 4 (name, M, N, K: what `-i gemm` reads). A layer
// with DP in its name is depthwise there: so many products of one channel each.
// Errors (input class) name the line. Bounded: 64 KiB of configuration, 100,000 layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/scalesim/scalesim.h"
#include "base/result.h"

namespace ridge::accelerator {

struct TopologyLayer {
  std::string name;
  Gemm gemm;
};

Result<std::vector<TopologyLayer>> read_topology(std::string_view text);

/// "M,N,K" or "M,N,K,count".
Result<Gemm> parse_gemm(std::string_view text);

Result<ScalesimMachine> read_scalesim_config(std::string_view text);

}  // namespace ridge::accelerator
