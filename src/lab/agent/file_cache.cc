// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/file_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/relative_path.h"
#include "base/text.h"

namespace ridge::lab {
namespace {

namespace fs = std::filesystem;

Error wrong(const JobFile& file, std::string why) {
  return input_error("RIDGE-LAB-0104", fmt::format("a file of the job is refused: {}", why))
      .in_file(file.path);
}

Result<void> make_folders(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) return {};
  return environment_error("RIDGE-LAB-0105", "cannot create the folder")
      .evidence(failed.message())
      .hint("agents keep files below $XDG_CACHE_HOME, or ~/.cache")
      .in_file(folder.string());
}

}  // namespace

Result<void> check(const JobFile& file) {
  if (!is_below(file.path)) return wrong(file, "its path leads out of the folder");
  if (!is_sha256(file.sha256)) return wrong(file, "it has no SHA-256");
  if (file.bytes < 0) return wrong(file, "it has no size");
  return {};
}

Result<FileCache> FileCache::open(std::string folder) {
  TRY(make_folders(folder));
  return FileCache(std::move(folder));
}

bool FileCache::has(const JobFile& file) const {
  std::error_code failed;
  const auto bytes = fs::file_size(path_of(file), failed);
  return !failed && std::cmp_equal(bytes, file.bytes);
}

Result<void> FileCache::add(const JobFile& file, const FilePart& part) {
  Result<void> taken = take(file, part);
  if (!taken.ok() || part.last) arriving_.reset();
  return taken;
}

Result<void> FileCache::take(const JobFile& file, const FilePart& part) {
  if (!arriving_ || arriving_->sha256 != file.sha256) {
    FileWriter writer = TRY(FileWriter::create(path_of(file), Durability::kUnsynced));
    arriving_.emplace(Arriving{file.sha256, std::move(writer), {}});
  }
  Arriving& a = *arriving_;
  a.bytes += std::ssize(part.bytes);
  if (a.bytes > file.bytes) return wrong(file, "it has more bytes than announced");
  a.hash.add(part.bytes);
  TRY(a.writer.write(part.bytes));
  if (!part.last) return {};
  if (a.hash.hex() != file.sha256) return wrong(file, "its bytes have another SHA-256");
  return a.writer.commit();
}

Result<void> FileCache::place(const JobFile& file, const std::string& folder) const {
  const fs::path to = fs::path(folder) / file.path;
  TRY(make_folders(to.parent_path()));
  std::error_code failed;
  fs::create_hard_link(path_of(file), to, failed);
  if (failed)
    return environment_error("RIDGE-LAB-0107", "cannot place the file")
        .evidence(failed.message())
        .in_file(to.string());
  return {};
}

}  // namespace ridge::lab
