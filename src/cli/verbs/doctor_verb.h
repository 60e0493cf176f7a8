// SPDX-License-Identifier: Apache-2.0
// ridge doctor: checks whether this machine is fit to measure, with advice, and where it lies
// outside a baseline of equal machines.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"
#include "machine/fitness.h"

namespace ridge::cli {

struct DoctorOptions {
  std::string format = "table";  ///< table or json
  std::string output;            ///< a file; empty: standard output
  std::string baseline;          ///< file of ridge runs baseline; empty: none
  std::string store;             ///< with this machine's runs; empty: its roofs are measured
  /// Finds the installed runtimes; empty: no search.
  std::function<std::vector<machine::RuntimeFinding>()> find_runtimes;
};

/// Prints the checks; returns kEnvironment if a serious one fails, otherwise kCheckFailed if the
/// machine lies outside the baseline. In JSON, a baseline's findings are the document.
int doctor(const DoctorOptions& options, Console& console);

/// Formats the checks as an aligned table, with a line of advice under each that has one.
std::string fitness_text(const std::vector<machine::Check>& checks);

inline constexpr std::string_view kDoctorExamples =
    "ridge doctor                        # what disturbs measurements on this host, with advice\n"
    "ridge doctor --format json          # the same for scripts\n"
    "ridge doctor --runtime ./mine.so    # whether a plug-in of your own opens\n"
    "ridge doctor --baseline baseline.json        # where this machine is slower than its equals\n"
    "ridge doctor --baseline baseline.json lab.db # by its newest runs there, models and layers "
    "too\n";

Run setup_doctor(Flags& flags);

}  // namespace ridge::cli
