#include "base/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ridge {

Result<TemporaryFolder> TemporaryFolder::make(const std::string& below) {
  std::string path = below + "/ridge-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return environment_error("RIDGE-RT-0006", "cannot make a temporary folder: " +
                                                  std::generic_category().message(errno))
        .hint("free some space there, or grant yourself write permission")
        .in_file(below);
  }
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace ridge
