// SPDX-License-Identifier: Apache-2.0
// ridge compare: compares two or more runs over the nodes of one model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct CompareOptions {
  std::vector<std::string> runs = {};     ///< profiles, one of which may be a model; or models
  MeasuringOptions measuring = {};        ///< no runtimes: as CompareSources::spec
  bool threads_given = false;             ///< false: likewise
  std::string turns = "runs";             ///< unit of alternation in measuring: runs, processes
  std::string format = "table";           ///< table, json, csv or md
  std::string by = "group";               ///< group, module or op
  std::size_t top = 20;                   ///< rows in tables; 0: all
  std::string threshold = {};             ///< minimum difference; empty: kThreshold
  std::vector<std::string> labels = {};   ///< NAME=RUN
  std::vector<std::string> fail_on = {};  ///< see compare/run_limit.h
  bool fail_on_uncertain = false;         ///< a limit inside the interval also fails
  std::string output = {};                ///< a file; empty: standard output
  std::string report = {};                ///< an HTML file; empty: none
};

/// Prints the document, warnings and errors; returns the exit status.
int compare_runs(const CompareOptions& options, Console& console);

inline constexpr std::string_view kCompareExamples =
    "ridge compare before.json after.json                       # profiles: ratio and verdict per "
    "group of nodes\n"
    "ridge compare before.json after.json --fail-on 'latency>5%'   # exit with 1 if significantly "
    "slower\n"
    "ridge compare base.onnx head.onnx --fail-on 'latency>1%'   # measures both in turns, then "
    "compares\n"
    "ridge compare zoo:resnet50 --runtimes ort,openvino         # likewise\n"
    "ridge compare zoo:resnet50 --runtimes ort,openvino --report compare.html   # and a page to "
    "look at\n"
    "ridge compare before.json model.onnx                       # measures the model with the "
    "settings of before.json\n"
    "ridge compare model.onnx --runtimes ort --threads 1,2 --by module\n";

Run setup_compare(Flags& flags);

}  // namespace ridge::cli
