// SPDX-License-Identifier: Apache-2.0
// ridge bench: measures many models in many runtimes at many points and stores the runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct BenchOptions {
  std::vector<std::string> models;
  MeasuringOptions measuring;
  std::string store;
  std::vector<std::string> points;  ///< keys of those to measure; empty: all
  std::string budget;               ///< "10m" for all points together; "": 2 s per process
  bool dry_run = false;
  std::string format = "table";  ///< table, json, csv, md
  std::string output;
};

int bench(const BenchOptions& options, Console& console);

inline constexpr std::string_view kBenchExamples =
    "ridge bench zoo:resnet50 zoo:bert_base --threads 1,2 --store runs.db    # stored points are "
    "skipped\n"
    "ridge bench model.onnx --runtimes ort,openvino --store runs.db          # in both runtimes\n"
    "ridge bench a.onnx b.onnx --bind b:sequence=64 --store runs.db          # a size of one of "
    "them\n"
    "ridge bench *.onnx --bind batch=1,4 --budget 10m --store runs.db        # in ten minutes\n"
    "ridge bench *.onnx --bind batch=1,4 --store runs.db --dry-run           # only lists the "
    "points\n"
    "ridge bench *.onnx --bind batch=1,4 --store runs.db --point 1d0c5b3a92e47f68   # one of "
    "them\n";

Run setup_bench(Flags& flags);

}  // namespace ridge::cli
