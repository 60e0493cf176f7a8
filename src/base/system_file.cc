// SPDX-License-Identifier: Apache-2.0
#include "base/system_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "base/file.h"

namespace ridge {

Result<std::string> read_system_file(const std::string& path, std::int64_t limit) {
  constexpr std::size_t kStep = std::size_t{1} << 14;
  const File file = TRY(File::open(path));
  std::string out;
  for (std::size_t size = 0; static_cast<std::int64_t>(size) <= limit;) {
    out.resize(size + kStep);
    const ssize_t got = ::read(file.descriptor(), out.data() + size, kStep);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return environment_error("RIDGE-IO-0010", "the system does not tell: " +
                                                    std::generic_category().message(errno))
          .in_file(path);
    size += static_cast<std::size_t>(got);
    out.resize(size);
    if (got == 0) return out;
  }
  return environment_error("RIDGE-IO-0011", fmt::format("has more than {} bytes", limit))
      .in_file(path);
}

}  // namespace ridge
