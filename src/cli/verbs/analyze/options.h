// SPDX-License-Identifier: Apache-2.0
// Options of ridge analyze, as written on the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags/traffic_flags.h"

namespace ridge::cli {

struct AnalyzeOptions {
  std::string model = {};               ///< path, or zoo:NAME
  std::vector<std::string> binds = {};  ///< as written; see cli/flags/sizes.h
  std::vector<std::string> shapes = {};
  std::vector<std::string> inputs = {};  ///< NAME=FILE|VALUE; see cli/flags/input_flag.h
  std::string format = "table";          ///< table, json, csv or md
  std::string by = "all";                ///< tables to print: all, operator, node or module
  std::string convention = {};           ///< tool whose figure is printed beside ours; empty: none
  std::optional<std::size_t> top = {};   ///< nodes; nullopt: 10 in tables, all in json and csv
  std::optional<std::uint32_t> depth = {};
  TrafficFlags traffic = {};
  bool symbolic = false;    ///< totals as expressions of the unbound sizes
  bool strict = false;      ///< kCheckFailed if the work of a node is unknown
  std::string output = {};  ///< a file; empty: standard output
};

}  // namespace ridge::cli
