// ridge import: a recording that another program made, as a profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ImportOptions {
  std::vector<std::string> files = {};  ///< several: the ranks of a distributed run
  std::string model = {};               ///< path, or zoo:NAME; empty: none
  std::vector<std::string> binds = {}, shapes = {};
  std::string from = {};             ///< import/formats.h; empty: by content
  std::string layer_info = {};       ///< of trtexec
  std::string times = {};            ///< of trtexec
  std::string exec_graph = {};       ///< of OpenVINO
  std::string optimised_model = {};  ///< of ONNX Runtime
  std::string machine = {};          ///< document of the machine that was recorded; empty: none
  int threads = 0;                   ///< whose roofs; 0: the most that it has
  bool allow_unmatched = false;
  bool list = false;
  std::string format = "table";  ///< table, json, csv, md or html
  std::size_t top = 15;          ///< layers in tables; 0: all
  std::string store = {};        ///< a run database that keeps it; empty: none
  std::string output = {};       ///< a file; empty: standard output
  std::string report = {};       ///< a page; empty: none
};

/// Prints the document, warnings and errors; returns the exit status.
int import(const ImportOptions& options, Console& console);

inline constexpr std::string_view kImportExamples =
    "ridge import ort.json --model resnet50.onnx                # ONNX Runtime's own profile\n"
    "ridge import counters.csv --model m.onnx --format json --output run.json\n"
    "ridge import times.json --layer-info layers.json --model m.onnx   # trtexec\n"
    "ridge import ort.json --model m.onnx --optimized-model optimised.onnx --machine machine.json\n"
    "ridge import trace.json --store runs.db                    # ridge trace query A8 "
    "runs.db:last\n"
    "ridge import --list                                        # formats, and what writes them\n";

Run setup_import(CLI::App& app);

}  // namespace ridge::cli
