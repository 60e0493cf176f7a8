// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry_folders.h"

#include <fmt/format.h>

#include <filesystem>

namespace ridge::manifest {

Error cannot(std::string_view what, const std::string& path, const std::error_code& why) {
  return environment_error("RIDGE-MAN-0061", fmt::format("cannot {}: {}", what, why.message()))
      .in_file(path);
}

Result<void> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) return cannot("create the folder", path, failed);
  return {};
}

}  // namespace ridge::manifest
