// SPDX-License-Identifier: Apache-2.0
#include "runtime/library_file.h"

#include <filesystem>
#include <system_error>

namespace ridge::runtime {

std::string not_a_library(const std::string& path) {
  using std::filesystem::file_type;
  if (path.find('/') == std::string::npos) return "";
  std::error_code failed;
  const auto what = [](file_type type) {
    switch (type) {
      case file_type::regular:
      case file_type::not_found:
      case file_type::none:
      case file_type::unknown:
        return "";
      case file_type::directory:
        return "a folder";
      case file_type::fifo:
        return "a named pipe";
      case file_type::socket:
        return "a socket";
      default:
        return "a device";
    }
  }(std::filesystem::status(path, failed).type());
  return *what == '\0' ? "" : path + " is " + what + ", not a file";
}

}  // namespace ridge::runtime
