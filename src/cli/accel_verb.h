// ridge accel: what a network would cost on an accelerator that is only described.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct AccelOptions {
  std::string model = {};               ///< a path, or zoo:NAME
  std::vector<std::string> gemms = {};  ///< "M,N,K" or "M,N,K,count"
  std::string topology = {};            ///< a SCALE-Sim CSV; of the three one is given
  std::string config = {};              ///< a SCALE-Sim .cfg: the machine
  std::string dataflow = {};            ///< os, ws or is in place of the machine's
  std::string convention = "scalesim";
  std::vector<std::string> binds = {}, shapes = {};
  std::string format = "table";  ///< table, json, csv or md
  std::size_t top = 20;          ///< layers in tables; 0: all, in order
  std::string output = {};       ///< a file; empty: standard output
};

int accel(const AccelOptions& options, Console& console);

inline constexpr std::string_view kAccelExamples =
    "ridge accel zoo:resnet50 --config scale.cfg                # cycles and DRAM words per layer\n"
    "ridge accel --topology net.csv --config scale.cfg          # SCALE-Sim's own files\n"
    "ridge accel --gemm 3136,64,576 --config scale.cfg --dataflow ws --format json\n";

Run setup_accel(CLI::App& app);

}  // namespace ridge::cli
