// SPDX-License-Identifier: Apache-2.0
// ridge roofline: places several models, or several points of one, under this machine's roofs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct RooflineOptions {
  /// Models, zoo:NAME, or runs (session/run_source.h).
  std::vector<std::string> sources;
  MeasuringOptions measuring;
  std::string format = "table";  ///< table, csv, md, svg
  std::string output, report;
};

int roofline(const RooflineOptions& options, Console& console);

inline constexpr std::string_view kRooflineExamples =
    "ridge roofline zoo:resnet50 zoo:mobilenet_v2 --report roofline.html   # two networks under "
    "the same roofs\n"
    "ridge roofline model.onnx --bind batch=1,2,4,8                        # one network at "
    "several batch sizes\n"
    "ridge roofline run1.json run2.json --output roofline.svg # from profiles made "
    "before\n";

Run setup_roofline(Flags& flags);

}  // namespace ridge::cli
