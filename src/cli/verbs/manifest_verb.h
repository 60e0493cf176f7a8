// SPDX-License-Identifier: Apache-2.0
// ridge manifest: checks, converts and shows manifests of models, data sets and runtimes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ManifestOptions {
  std::string action;  ///< check, convert, show
  std::vector<std::string> files;
  bool compares_files = false;  ///< --files
  bool states_steps = false;    ///< --steps
  std::string prefer;           ///< code, parameters; "": neither
  std::string format = "table";
  std::string output;
};

int manifest(const ManifestOptions& options, Console& console);

inline constexpr std::string_view kManifestExamples =
    "ridge manifest check *.yml                     # faults with line and column\n"
    "ridge manifest check net.toml --files          # and the checksums of its files\n"
    "ridge manifest show net.yml                    # its steps as they run here\n"
    "ridge manifest convert net.yml --output net.toml --steps  # steps in place of code\n";

Run setup_manifest(Flags& flags);

}  // namespace ridge::cli
