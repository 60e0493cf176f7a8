// SPDX-License-Identifier: Apache-2.0
// ridge trace: named queries over the layers, kernels and spans of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct TraceOptions {
  std::string action;                  ///< query, list, show or diff
  std::vector<std::string> arguments;  ///< arguments of the action: a query's name, runs
  std::string format = "table";        ///< table, json, csv or md
  std::optional<std::size_t> top;      ///< rows; 0: all; nullopt: 20 in tables, else all
  std::string output;                  ///< a file; empty: standard output
};

/// Prints the document and errors; returns the exit status.
int trace(const TraceOptions& options, Console& console);

inline constexpr std::string_view kTraceExamples =
    "ridge trace list                              # the queries, and their input\n"
    "ridge trace query A6 run.json                 # latency by layer type\n"
    "ridge trace query A1 sweep.json --format csv  # a row per batch\n"
    "ridge trace show run.json                     # levels, spans, how parents were found\n"
    "ridge trace diff before.json after.json       # differences, by name\n";

Run setup_trace(Flags& flags);

}  // namespace ridge::cli
