// SPDX-License-Identifier: Apache-2.0
// ridge explain: explains one node, one layer, or an operator.
#pragma once

#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ExplainOptions {
  std::string source = {};  ///< a model or a run; an operator if `what` is empty
  std::string what = {};    ///< node or layer of the source (cli/verbs/explain_target.h)
  MeasuringOptions measuring = {};
  std::string format = "table";  ///< table, json or md
  std::string output = {};       ///< a file; empty: standard output
  /// For a model: also print the node's layer, evidence and roof, from one short profile.
  bool measure = true;
};

int explain(const ExplainOptions& options, Console& console);

inline constexpr std::string_view kExplainExamples =
    "ridge explain model.onnx /layer1/layer1.0/conv1/Conv       # by name\n"
    "ridge explain model.onnx 17 --bind batch=8                 # by index\n"
    "ridge explain model.onnx 17 --no-measure                   # without running it\n"
    "ridge explain run.json layer:3                             # a layer, numbered as in tables\n"
    "ridge explain Conv                                         # how an operator's work is "
    "counted\n";

Run setup_explain(Flags& flags);

}  // namespace ridge::cli
