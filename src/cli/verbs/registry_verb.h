// SPDX-License-Identifier: Apache-2.0
// ridge registry: models, data sets and labels by name, version and hash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct RegistryOptions {
  std::string action;              ///< add, list, show, verify, remove
  std::vector<std::string> items;  ///< add: files; others: NAME@VERSIONS
  std::string registry, kind, name, version;
  std::string format = "table", output;
};

int registry(const RegistryOptions& options, Console& console);

inline constexpr std::string_view kRegistryExamples =
    "ridge registry add net.toml data.toml          # manifests, with the files that they name\n"
    "ridge registry add words.txt --kind labels --name words --version 1.0  # a file alone\n"
    "ridge registry list\n"
    "ridge registry show digits@'>=1,<2'            # its files and their hashes\n"
    "ridge registry verify                          # computes all hashes again\n"
    "ridge registry remove digits@1.0.0\n";

Run setup_registry(Flags& flags);

}  // namespace ridge::cli
