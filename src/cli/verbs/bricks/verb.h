// SPDX-License-Identifier: Apache-2.0
// ridge bricks: the fewest benchmarks that stand for many models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct BricksOptions {
  std::string action;
  std::vector<std::string> models;
  MeasuringOptions measuring;
  std::string folder;                ///< --out
  std::string granularity = "auto";  ///< auto, layer, sequence, block, or a number
  std::string store;
  std::string width = "3%";
  std::string budget;  ///< as written; "": none
  std::uint32_t processes = 4;
  bool dry_run = false;
  std::string format = "table";  ///< table, json, csv, md
  std::string output;
  std::string report;  ///< path of the HTML page; "": none
};

int bricks(const BricksOptions& options, Console& console);

inline constexpr std::string_view kBricksExamples =
    "ridge bricks plan zoo:resnet18 zoo:resnet34 --out suite    # unique pieces of both, as ONNX "
    "files\n"
    "ridge bricks plan model.onnx --bind batch=8 --out suite    # adds the pieces that are new\n"
    "ridge bricks run suite --store bricks.db                   # measures what is missing\n"
    "ridge bricks estimate zoo:resnet34 --store bricks.db       # no run of the model\n"
    "ridge bricks check zoo:resnet18 --store bricks.db          # estimate beside measurement\n";

Run setup_bricks(Flags& flags);

}  // namespace ridge::cli
