// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/header.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/file.h"
#include "base/text.h"

namespace ridge::store::sqlite {
namespace {

/// The first 16 bytes of an SQLite file.
constexpr std::string_view kMagic{"SQLite format 3\0", 16};

/// The header of an SQLite file (sqlite.org/fileformat2.html, section 1.3).
constexpr std::size_t kHeader = 100, kPageSizeAt = 16, kPagesAt = 28;
constexpr std::size_t kEvidence = 24;  ///< bytes of a foreign file that the message shows

std::int64_t big_endian(std::string_view bytes) {
  std::int64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

Error no_database(const std::string& path, std::string_view head) {
  Error error = input_error("RIDGE-STORE-0001", "this is not a run database")
                    .evidence(fmt::format("it begins with '{}'", head.substr(0, kEvidence)))
                    .in_file(path);
  if (head.starts_with('{'))
    return std::move(error).hint(
        "this looks like output of --format json; run databases are created by --store");
  return std::move(error).hint("name a file that --store created, or a new file");
}

Error cut_short(const std::string& path, std::string evidence) {
  return input_error("RIDGE-STORE-0003", "the store is truncated")
      .evidence(std::move(evidence))
      .hint("copy it again, together with the FILE-wal beside it")
      .in_file(path);
}

Result<void> check_length(const File& file, std::string_view head) {
  if (head.size() < kHeader)
    return cut_short(file.path(),
                     fmt::format("it has {} bytes, its header alone has {}", file.size(), kHeader));
  const std::int64_t declared = big_endian(head.substr(kPageSizeAt, 2));
  const std::int64_t page = declared == 1 ? 65536 : declared;
  const std::int64_t bytes = page * big_endian(head.substr(kPagesAt, 4));
  // The file may be shorter while its WAL has pages to copy back, also after a writer was killed.
  if (file.size() >= bytes || file_exists(file.path() + "-wal")) return {};
  return cut_short(file.path(), fmt::format("its header declares {} bytes, the file has {}", bytes,
                                            file.size()));
}

}  // namespace

bool begins_as_database(const std::string& path) {
  const Result<File> file = File::open(path);
  if (!file.ok() || file->size() < static_cast<std::int64_t>(kMagic.size())) return false;
  std::array<std::byte, kMagic.size()> head{};
  if (!file->read_at(0, head).ok()) return false;
  return std::string_view(reinterpret_cast<const char*>(head.data()), head.size()) == kMagic;
}

Result<void> check_header(const std::string& path, Access access) {
  if (access == Access::kCreate && !path.empty() && path.find('\0') == std::string::npos &&
      !file_exists(path))
    return {};
  const File file = TRY(File::open(path));
  std::array<std::byte, kHeader> bytes{};
  const auto size = static_cast<std::size_t>(
      std::min<std::int64_t>(file.size(), static_cast<std::int64_t>(kHeader)));
  TRY(file.read_at(0, std::span(bytes).first(size)));
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), size);
  if (head.empty() && access == Access::kCreate) return {};
  if (head.empty()) return cut_short(path, "it is empty");
  if (!head.starts_with(kMagic)) return no_database(path, head);
  return check_length(file, head);
}

}  // namespace ridge::store::sqlite
