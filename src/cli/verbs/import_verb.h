// SPDX-License-Identifier: Apache-2.0
// ridge import: converts a recording of another program to a profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ImportOptions {
  std::vector<std::string> files = {};  ///< several: one per rank of a distributed run
  std::string model = {};               ///< path, or zoo:NAME; empty: none
  std::vector<std::string> binds = {}, shapes = {};
  std::string from = {};             ///< format (import/formats.h); empty: detect
  std::string layer_info = {};       ///< further file of trtexec
  std::string times = {};            ///< further file of trtexec
  std::string exec_graph = {};       ///< further file of OpenVINO
  std::string optimized_model = {};  ///< further file of ONNX Runtime
  std::string runs = {};             ///< choice of its runs; empty: all
  std::string machine = {};          ///< document of the recorded machine; empty: none
  int threads = 0;                   ///< thread count of the roofs; 0: the highest
  bool allow_unmatched = false;
  bool list = false;
  std::string format = "table";  ///< table, json, csv, md or html
  std::size_t top = 15;          ///< layers in tables; 0: all
  std::string store = {};        ///< run database that stores it; empty: none
  std::string output = {};       ///< a file; empty: standard output
  std::string report = {};       ///< an HTML file; empty: none
};

/// Prints the document, warnings and errors; returns the exit status.
int import(const ImportOptions& options, Console& console);

inline constexpr std::string_view kImportExamples =
    "ridge import ort.json --model resnet50.onnx                # ONNX Runtime's own profile\n"
    "ridge import counters.csv --model m.onnx --format json --output run.json\n"
    "ridge import times.json --layer-info layers.json --model m.onnx   # trtexec\n"
    "ridge import ort.json --model m.onnx --optimized-model optimized.onnx --machine machine.json\n"
    "ridge import trace.json --store runs.db                    # ridge trace query A8 "
    "runs.db:last\n"
    "ridge import --list                                        # the formats, and what writes "
    "them\n";

Run setup_import(Flags& flags);

}  // namespace ridge::cli
