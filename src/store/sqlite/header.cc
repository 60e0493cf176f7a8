// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/header.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/file.h"
#include "store/errors.h"

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

Result<void> check_length(const std::string& path, const Head& file) {
  const std::string_view head = file.bytes;
  if (head.size() < kHeader)
    return cut_short(path,
                     fmt::format("it has {} bytes, its header alone has {}", file.size, kHeader));
  const std::int64_t declared = big_endian(head.substr(kPageSizeAt, 2));
  const std::int64_t page = declared == 1 ? 65536 : declared;
  const std::int64_t bytes = page * big_endian(head.substr(kPagesAt, 4));
  // The file may be shorter while its WAL has pages to copy back, also after a writer was killed.
  if (file.size >= bytes || file_exists(path + "-wal")) return {};
  return cut_short(path,
                   fmt::format("its header declares {} bytes, the file has {}", bytes, file.size));
}

bool is_regular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

Result<Head> read_head(sqlite3* handle, const std::string& path) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == nullptr || file->pMethods == nullptr)
    return bug("an SQLite database without a file", "store::sqlite::read_head").in_file(path);
  sqlite3_int64 size = 0;
  int code = file->pMethods->xFileSize(file, &size);
  Head out{.bytes = std::string(static_cast<std::size_t>(std::min<std::int64_t>(size, kHeader)), 0),
           .size = size};
  if (code == SQLITE_OK && !out.bytes.empty())
    code = file->pMethods->xRead(file, out.bytes.data(), static_cast<int>(out.bytes.size()), 0);
  if (code != SQLITE_OK) return failing_database(sqlite3_errstr(code), "look at the disk", path);
  return out;
}

bool begins_as_database(const std::string& path) {
  if (path.find('\0') != std::string::npos || !is_regular(path)) return false;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closed(handle, sqlite3_close);
  if (code != SQLITE_OK) return false;
  const Result<Head> head = read_head(handle, path);
  return head.ok() && head->bytes.starts_with(kMagic);
}

Result<void> check_kind(const std::string& path, Access access) {
  const bool is_name = !path.empty() && path.find('\0') == std::string::npos;
  if (is_name && is_regular(path)) return {};
  if (is_name && access == Access::kCreate && !file_exists(path)) return {};
  TRY(File::open(path));
  return {};
}

Result<void> check_header(const std::string& path, const Head& head, Access access) {
  if (head.bytes.empty() && access == Access::kCreate) return {};
  if (head.bytes.empty()) return cut_short(path, "it is empty");
  if (!head.bytes.starts_with(kMagic)) return no_database(path, head.bytes);
  return check_length(path, head);
}

}  // namespace ridge::store::sqlite
