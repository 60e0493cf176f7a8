// SPDX-License-Identifier: Apache-2.0
#include "cli/share_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace ridge::cli {

std::string share_folder() {
  const char* given = std::getenv("XDG_RUNTIME_DIR");
  if (given != nullptr && given[0] == '/') return fmt::format("{}/ridge", given);
  return fmt::format("/tmp/ridge-{}", ::geteuid());
}

}  // namespace ridge::cli
