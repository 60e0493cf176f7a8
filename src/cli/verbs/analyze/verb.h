// SPDX-License-Identifier: Apache-2.0
// ridge analyze: counts the work in a model without running it.
#pragma once

#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"
#include "cli/verbs/analyze/options.h"

namespace ridge::cli {

/// Prints the document, warnings and errors; returns the exit status.
int analyze(const AnalyzeOptions& options, Console& console);

inline constexpr std::string_view kAnalyzeExamples =
    "ridge analyze model.onnx                                   # totals, operators, top nodes, "
    "modules\n"
    "ridge analyze model.onnx --bind batch=8,sequence=128       # free sizes by name\n"
    "ridge analyze model.onnx --shape input=1x3x224x224         # or the shape of an input\n"
    "ridge analyze model.onnx --format json --output counts.json\n"
    "ridge analyze model.onnx --by node --top 50                # the 50 nodes with most MACs\n"
    "ridge analyze model.onnx --convention timm                 # and the count that timm prints\n"
    "ridge analyze model.onnx --bind sequence=64..1024:*2       # a row per size\n"
    "ridge analyze model.onnx --bind height@width=224..448:+32  # sizes in step: a row per square\n"
    "ridge analyze model.onnx --input M=5                       # an input that steers trips or "
    "shapes\n"
    "ridge analyze model.onnx --symbolic                        # totals as polynomials of the "
    "free sizes\n"
    "ridge analyze model.onnx --cache 32MiB --fuse epilogue     # estimated memory traffic\n";

Run setup_analyze(Flags& flags);

}  // namespace ridge::cli
