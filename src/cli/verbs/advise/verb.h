// SPDX-License-Identifier: Apache-2.0
// ridge advise: how fast a model could be, what is in the way, and the proof.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct AdviseOptions {
  std::string model;
  MeasuringOptions measuring;
  std::vector<std::string> runtimes;  ///< to compare with
  std::string store;
  bool bricks = false;              ///< measure those that the store lacks
  std::vector<std::string> checks;  ///< ids, or "all"
  bool lossless = false;
  std::string report;            ///< file for the page; "": none
  std::string scoreboard;        ///< run database; "": advise on a model
  std::string apply;             ///< id; "": none
  std::string format = "table";  ///< table, json, csv, md
  std::string output;
};

int advise(const AdviseOptions& options, Console& console);

inline constexpr std::string_view kAdviseExamples =
    "ridge advise model.onnx                                  # distance to what is possible, and "
    "findings\n"
    "ridge advise model.onnx --check all                      # applies each finding and measures "
    "it\n"
    "ridge advise model.onnx --apply silu --output better.onnx  # writes the changed model\n"
    "ridge advise model.onnx --store runs.db --bricks         # gains predicted from measured "
    "bricks\n"
    "ridge advise model.onnx --runtimes ort,openvino --report advice.html  # and a page to look "
    "at\n"
    "ridge advise --scoreboard runs.db                        # how well predictions held\n";

Run setup_advise(Flags& flags);

}  // namespace ridge::cli
