// ridge doctor: is this machine fit to measure, and what to do about it.
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
  /// Looks for the runtimes; empty: none are looked for.
  std::function<std::vector<machine::RuntimeFinding>()> find_runtimes;
};

/// Prints the checks; exit status 4 where a serious one fails, as the environment lacks something.
int doctor(const DoctorOptions& options, Console& console);

/// The checks as an aligned table, one line of advice under each that needs it.
std::string fitness_text(const std::vector<machine::Check>& checks);

inline constexpr std::string_view kDoctorExamples =
    "ridge doctor                        # what disturbs measuring here, and what to do\n"
    "ridge doctor --format json          # the same for scripts\n";

Run setup_doctor(CLI::App& app);

}  // namespace ridge::cli
