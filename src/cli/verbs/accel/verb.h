// SPDX-License-Identifier: Apache-2.0
// ridge accel: estimates the cost of a network on an accelerator from its description.
#pragma once

#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"
#include "cli/verbs/accel/options.h"

namespace ridge::cli {

int accel(const AccelOptions& options, Console& console);

inline constexpr std::string_view kAccelExamples =
    "ridge accel zoo:resnet50 --machine gemmini-16              # cycles, bytes, energy per layer\n"
    "ridge accel zoo:resnet50 --machine edge-32 --pad none,16x16x16 --set dram.gb_per_s=8,16,32 "
    "--report sweep.html\n"
    "ridge accel --topology net.csv --config scale.cfg          # SCALE-Sim's own files\n"
    "ridge accel --gemm 3136,64,576 --config scale.cfg --dataflow ws --format json\n"
    "ridge accel zoo:gpt2 --machine gemmini-16 --bind sequence=64..1024:*2 --precision file\n"
    "ridge accel --template > my.toml                           # a machine file to edit\n";

Run setup_accel(Flags& flags);

}  // namespace ridge::cli
