// ridge bricks: the fewest benchmarks that stand for many models.
#pragma once

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
  std::string granularity = "auto";  ///< layer, block, auto, or a number of layers
  std::string format = "table";      ///< table, json, csv, md
  std::string output;
};

int bricks(const BricksOptions& options, Console& console);

inline constexpr std::string_view kBricksExamples =
    "ridge bricks plan zoo:resnet18 zoo:resnet34 --out suite    # unique pieces of both, as ONNX "
    "files\n"
    "ridge bricks plan model.onnx --bind batch=8 --out suite    # adds the pieces that are new\n"
    "ridge bricks plan *.onnx --out blocks --granularity block  # pieces between single tensors\n";

Run setup_bricks(Flags& flags);

}  // namespace ridge::cli
