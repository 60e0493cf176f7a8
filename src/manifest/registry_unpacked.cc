// SPDX-License-Identifier: Apache-2.0
// Unpacked entries of a registry: a folder for each digest, checked before it is used.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/hash/sha256.h"
#include "base/text.h"
#include "manifest/folder_lock.h"
#include "manifest/registry.h"
#include "manifest/registry_folders.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

Error damaged_folder(const std::string& folder, std::string what) {
  return environment_error("RIDGE-MAN-0111", std::move(what))
      .hint("`ridge registry verify` unpacks the entry again where the registry can be written")
      .in_file(folder);
}

/// Names of everything below a folder that is no folder, sorted.
Result<std::vector<std::string>> names_below(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code failed;
  fs::recursive_directory_iterator it(folder, failed), end;
  for (; !failed && it != end; it.increment(failed))
    if (it->is_symlink(failed) || !it->is_directory(failed))
      out.push_back(it->path().lexically_relative(folder).generic_string());
  if (failed)
    return damaged_folder(folder, fmt::format("the unpacked entry: {}", failed.message()));
  std::sort(out.begin(), out.end());
  return out;
}

bool is_one_file(const std::string& a, const std::string& b) {
  struct stat left {
  }, right{};
  return ::stat(a.c_str(), &left) == 0 && ::stat(b.c_str(), &right) == 0 &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/// A model and its data are opened only within one folder (onnx/external_file.h), so links to the
/// content do not do where the file system has no hard links.
std::error_code place(EntryKind kind, const std::string& content, const fs::path& at) {
  std::error_code failed;
  fs::create_hard_link(content, at, failed);
  if (!failed) return failed;
  if (kind == EntryKind::kModel)
    fs::copy_file(content, at, failed);
  else
    fs::create_symlink(fs::absolute(content), at, failed);
  return failed;
}

/// Removes a folder at its end, unless it has been renamed.
struct Removed {
  const std::string& folder;

  explicit Removed(const std::string& name) : folder(name) {}
  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;
  ~Removed() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

}  // namespace

/// A link to the content is as good as that, which verify() compares; a copy is hashed.
Result<void> Registry::check_unpacked(const RegistryEntry& entry, const std::string& folder) const {
  const std::vector<std::string> names = TRY(names_below(folder));
  for (const std::string& name : names)
    if (!std::ranges::binary_search(entry.files, name, {}, &RegistryFile::name))
      return damaged_folder(
          folder,
          fmt::format("the unpacked entry has a file '{}' that is not its own", printable(name)));
  for (const RegistryFile& file : entry.files) {
    const std::string path = fmt::format("{}/{}", folder, file.name);
    if (!std::ranges::binary_search(names, file.name))
      return damaged_folder(folder, fmt::format("the unpacked entry lacks '{}'", file.name));
    if (is_one_file(path, content_path(file.sha256))) continue;
    const Result<std::string> hash = sha256_of_file(path);
    if (!hash.ok() || *hash != file.sha256)
      return damaged_folder(folder,
                            fmt::format("'{}' of the unpacked entry has changed", file.name));
  }
  return {};
}

/// Replaces the folder.
Result<void> Registry::unpack(const RegistryEntry& entry, const std::string& folder) const {
  const std::string partial = folder + ".partial";
  std::error_code failed;
  fs::remove_all(partial, failed);
  if (failed) return cannot("delete the folder", partial, failed);
  const Removed at_end(partial);
  TRY(make_folder(partial));
  for (const RegistryFile& file : entry.files) {
    const fs::path at = fs::path(partial) / file.name;
    TRY(make_folder(at.parent_path()));
    failed = place(entry.kind, TRY(content(file)), at);
    if (failed) return cannot("link to the content", at, failed);
  }
  fs::remove_all(folder, failed);
  if (failed) return cannot("delete the folder", folder, failed);
  fs::rename(partial, folder, failed);
  if (failed) return cannot("create the folder", folder, failed);
  return {};
}

Result<std::string> Registry::unpacked(const RegistryEntry& entry) const {
  std::string folder = unpacked_path(entry.digest());
  const Result<void> before = check_unpacked(entry, folder);
  if (before.ok()) return folder;
  const Result<FolderLock> lock = FolderLock::take(folder_, patience_);
  // In a registry that cannot be written, the folder is at fault, not the lock.
  if (!lock.ok()) return ::access(folder_.c_str(), W_OK) == 0 ? lock.error() : before.error();
  if (check_unpacked(entry, folder).ok()) return folder;  // by the process that had the lock
  TRY(unpack(entry, folder));
  TRY(check_unpacked(entry, folder));
  return folder;
}

}  // namespace ridge::manifest
