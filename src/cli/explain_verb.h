// ridge explain: what is known of one node, or of an operator.
#pragma once

#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ExplainOptions {
  std::string model = {};  ///< a path, or zoo:NAME; without a node an operator
  std::string node = {};   ///< an index, a node's name, or the name of a tensor that it makes
  MeasuringOptions measuring = {};
  bool measure = true;  ///< say its layer, evidence and roof too, from one short profile
};

int explain(const ExplainOptions& options, Console& console);

inline constexpr std::string_view kExplainExamples =
    "ridge explain model.onnx /layer1/layer1.0/conv1/Conv       # by name\n"
    "ridge explain model.onnx 17 --bind batch=8                 # by index\n"
    "ridge explain model.onnx 17 --no-measure                   # without running it\n"
    "ridge explain Conv                                         # what is counted for an "
    "operator\n";

Run setup_explain(CLI::App& app);

}  // namespace ridge::cli
