// SPDX-License-Identifier: Apache-2.0
#include "base/whole_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <vector>

namespace ridge {
namespace {

constexpr std::int64_t kReadPiece = std::int64_t{1} << 20;
/// Holes of smaller files are read in a second.
constexpr std::int64_t kSmall = std::int64_t{1} << 30;
/// Times that a file may be larger than what is stored of it. File systems that compress store
/// weights and images in half their size at best, and show no holes.
constexpr std::int64_t kMaxPerStored = 8;
constexpr std::int64_t kBlock = 512;  // unit of st_blocks

Result<void> check_stored(const File& file) {
  if (file.size() <= kSmall) return {};
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return {};
  const std::int64_t stored = std::int64_t{status.st_blocks} * kBlock;
  const off_t hole = ::lseek(file.descriptor(), 0, SEEK_HOLE);
  const bool holes = hole >= 0 && hole < file.size();
  if (!holes || stored >= file.size() / kMaxPerStored) return {};
  return input_error("RIDGE-IO-0013",
                     fmt::format("has {} bytes, of which {} are stored: the rest are holes",
                                 file.size(), stored))
      .hint("give the file with its content; a download may have stopped early")
      .in_file(file.path());
}

}  // namespace

Result<void> each_piece(const File& file, const std::function<void(std::string_view)>& visit,
                        const HashWatch& watch) {
  TRY(check_stored(file));
  std::vector<char> piece(static_cast<std::size_t>(std::min(file.size(), kReadPiece)));
  for (std::int64_t at = 0; at < file.size();) {
    const auto part = static_cast<std::size_t>(
        std::min(file.size() - at, static_cast<std::int64_t>(piece.size())));
    TRY(file.read_at(at, std::as_writable_bytes(std::span(piece.data(), part))));
    visit({piece.data(), part});
    at += static_cast<std::int64_t>(part);
    if (watch && !watch(file.path(), at, file.size()))
      return environment_error("RIDGE-IO-0014", "the reading was interrupted").in_file(file.path());
  }
  return {};
}

}  // namespace ridge
