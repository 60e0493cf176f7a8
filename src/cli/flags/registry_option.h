// SPDX-License-Identifier: Apache-2.0
// --registry: the folder with models and data sets by name and version (manifest/registry.h).
#pragma once

#include <string>

#include "cli/flags/flags.h"

namespace ridge::cli {

void add_registry_option(Flags& flags, std::string& target);

/// The folder that was given, else `registry` below the cache folder; "" without either.
std::string registry_folder(const std::string& given);

}  // namespace ridge::cli
