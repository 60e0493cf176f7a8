// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/registry_option.h"

#include "cli/cache_folder.h"

namespace ridge::cli {

void add_registry_option(Flags& flags, std::string& target) {
  flags
      .add("--registry", target,
           "folder of models and data sets by name and version (registry in ridge's cache folder)")
      .shown_as("DIR");
}

std::string registry_folder(const std::string& given) {
  if (!given.empty()) return given;
  const std::string cache = cache_folder();
  return cache.empty() ? "" : cache + "/registry";
}

}  // namespace ridge::cli
