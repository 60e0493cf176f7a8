// SPDX-License-Identifier: Apache-2.0
// Folders of a registry. Private to it.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "base/result.h"

namespace ridge::manifest {

/// RIDGE-MAN-0061: "cannot WHAT: reason".
Error cannot(std::string_view what, const std::string& path, const std::error_code& why);

/// Creates the folder and those above it.
Result<void> make_folder(const std::string& path);

}  // namespace ridge::manifest
