// SPDX-License-Identifier: Apache-2.0
// ridge machine: describes this host and measures its roofs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"
#include "machine/host.h"
#include "machine/roof.h"

namespace ridge::cli {

struct MachineOptions {
  bool refresh = false;
  std::vector<int> threads;      ///< empty: 1, and as many as processors
  std::string format = "table";  ///< table, json, csv or md
  std::string output;            ///< a file; empty: standard output
  std::string cache;             ///< cache folder of roofs; empty: no cache
};

/// Prints the document, notes and errors; returns the exit status. After Ctrl-C it prints the roofs
/// measured so far and returns kInterrupted.
int run_machine(const MachineOptions& options, Console& console);

/// Text document: host, compute roofs and bandwidths.
std::string machine_text(const machine::Host& host, const machine::MeasuredRoofs& roofs);

inline constexpr std::string_view kMachineExamples =
    "ridge machine                       # the host and its measured roofs\n"
    "ridge machine --refresh             # measure again instead of reading the cache\n"
    "ridge machine --threads 1,2,4       # roofs for these thread counts\n"
    "ridge machine --format json         # ridge.machine/1\n";

Run setup_machine(Flags& flags);

}  // namespace ridge::cli
