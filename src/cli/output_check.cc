// SPDX-License-Identifier: Apache-2.0
#include "cli/output_check.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/file.h"
#include "base/file_writer.h"
#include "base/text.h"
#include "base/toml.h"
#include "manifest/lock.h"
#include "manifest/manifest_file.h"
#include "onnx/external_tensors.h"
#include "onnx/reader.h"
#include "store/source.h"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// Files of a folder that are looked at.
constexpr std::size_t kMaxFiles = 1'000'000;
/// Name of the manifest in a folder of bricks, where results may lie too.
constexpr std::string_view kBricksManifest = "manifest.json";

using FileId = std::pair<dev_t, ino_t>;

/// Device and inode of a regular file; nullopt for anything else.
std::optional<FileId> file_id(const std::string& path) {
  struct stat status {};
  if (path.find('\0') != std::string::npos || ::stat(path.c_str(), &status) != 0 ||
      !S_ISREG(status.st_mode))
    return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

std::string name_of(const Flag& row) {
  const std::vector<std::string> names = row.long_names();
  return names.empty() ? row.names : "--" + names.front();
}

std::vector<std::string> values_of(const Flag& row) {
  if (row.given == 0) return {};
  if (const auto* one = std::get_if<std::string*>(&row.target)) return {**one};
  if (const auto* several = std::get_if<std::vector<std::string>*>(&row.target)) return **several;
  return {};
}

/// Paths that a value may have: itself, FILE of `name=FILE`, of `FILE:7` and of `labels(FILE)`.
std::vector<std::string> paths_in(const std::string& value) {
  std::vector<std::string> out = {value};
  if (const std::size_t at = value.find('='); at != std::string::npos)
    out.push_back(value.substr(at + 1));
  if (const std::size_t at = value.rfind(':'); at != std::string::npos)
    out.push_back(value.substr(0, at));
  for (std::size_t at = value.find('('); at != std::string::npos; at = value.find('(', at + 1))
    out.push_back(value.substr(at + 1, value.find(')', at) - at - 1));
  return out;
}

/// Whether one of the files that belong to a path is the wanted one.
class Search {
 public:
  explicit Search(FileId wanted) : wanted_(wanted) {}

  /// Path of the file if it is `path` or what that names; "" otherwise.
  std::string find(const std::string& path) {
    waiting_ = {path};
    while (!waiting_.empty()) {
      std::string next = std::move(waiting_.back());
      waiting_.pop_back();
      if (file_id(next) == wanted_) return next;
      if (seen_.insert(next).second) add_named_by(next);
    }
    return "";
  }

 private:
  void add_named_by(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return add_folder(path);
    if (!file_id(path)) return;
    if (path.ends_with(".onnx")) return add_external_data(path);
    if (manifest::is_manifest_name(path)) return add_manifest(path);
    if (path.ends_with(".lock")) return add_lock(path);
  }

  void add_folder(const std::string& folder) {
    std::error_code failed;
    const bool bricks = file_exists(fmt::format("{}/{}", folder, kBricksManifest));
    std::size_t files = 0;
    for (fs::recursive_directory_iterator it(folder, failed), end;
         !failed && it != end && files < kMaxFiles; it.increment(failed), ++files) {
      // Results may lie in a folder of bricks. The verbs that read such a folder read the bricks
      // and the manifest alone, so other files there are no inputs.
      const fs::path& path = it->path();
      if (file_id(path) == wanted_ &&
          (!bricks || path.extension() == ".onnx" || path.filename() == kBricksManifest))
        waiting_.push_back(path);
    }
  }

  void add_external_data(const std::string& path) {
    const Result<onnx::Document> model = onnx::read_file(path);
    if (!model.ok()) return;
    for (const auto& [location, tensor] : onnx::external_tensors(model->model))
      waiting_.push_back(fs::path(path).replace_filename(location));
  }

  void add_manifest(const std::string& path) {
    const Result<manifest::ManifestFile> file = manifest::read_manifest_file(path);
    if (!file.ok()) return add_lock(path);
    const auto files = manifest::files_of(*file, {});
    if (files.ok())
      for (const manifest::NamedFile& named : *files) waiting_.push_back(named.path);
  }

  void add_lock(const std::string& path) {
    const Result<std::string> text = read_file(path, kMaxTomlBytes);
    const auto lock = text.ok() ? manifest::read_lock(*text) : Result<manifest::Lock>(text.error());
    if (!lock.ok()) return;
    for (const auto* item : {&lock->model, &lock->data, &lock->labels})
      waiting_.push_back(item->name);
    for (const manifest::Lock::File& file : lock->files) waiting_.push_back(file.name);
  }

  FileId wanted_;
  std::vector<std::string> waiting_;
  std::set<std::string> seen_;
};

struct Written {
  const Flag* row;
  std::string path;
};

/// True if the verb writes the file, rather than reads it.
bool writes_file(const Flag& row, const std::string& path) {
  return row.written == Writes::kFile || (row.written == Writes::kNewFile && !file_exists(path));
}

Result<void> check_can_be_written(const Written& output) {
  if (output.row->written == Writes::kFolder) return check_writable_folder(output.path);
  if (output.row->written != Writes::kFile && file_exists(output.path)) return {};
  return check_writable(output.path);
}

/// A model's weights beside it are written with it (onnx/writer.h).
std::vector<std::string> files_of(const Written& output) {
  if (!output.path.ends_with(".onnx")) return {output.path};
  return {output.path, output.path + ".data"};
}

Result<void> check_is_no_input(const Written& output, const Flags& flags) {
  for (const std::string& path : files_of(output)) {
    const std::optional<FileId> id = file_id(path);
    if (!id) continue;
    for (const Flag& row : flags.rows()) {
      if (&row == output.row || row.written == Writes::kFile || row.written == Writes::kFolder)
        continue;
      for (const std::string& value : values_of(row))
        for (const std::string& in : paths_in(value))
          if (const std::string found = Search(*id).find(in); !found.empty())
            return usage_error("RIDGE-CLI-0220", fmt::format("{} {} would overwrite an input",
                                                             name_of(*output.row), printable(path)))
                .evidence(found == in ? fmt::format("{} names {}", name_of(row), printable(found))
                                      : fmt::format("{} {} reads {}", name_of(row),
                                                    printable(value), printable(found)))
                .hint("name another file");
    }
  }
  return {};
}

bool is_one_file(const std::string& a, const std::string& b) {
  if (const auto id = file_id(a); id && id == file_id(b)) return true;
  std::error_code failed;
  if (fs::exists(a, failed) || fs::exists(b, failed)) return false;
  const fs::path first = fs::weakly_canonical(fs::absolute(a), failed);
  return !failed && first == fs::weakly_canonical(fs::absolute(b), failed);
}

Result<void> check_are_different(const std::vector<Written>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (is_one_file(outputs[i].path, outputs[j].path))
        return usage_error("RIDGE-CLI-0221",
                           fmt::format("{} and {} name one file, {}", name_of(*outputs[j].row),
                                       name_of(*outputs[i].row), printable(outputs[i].path)))
            .hint("name two files");
  return {};
}

}  // namespace

Result<void> check_outputs(const Flags& flags) {
  std::vector<Written> all, files;
  for (const Flag& row : flags.rows())
    if (row.written != Writes::kNothing)
      for (const std::string& path : values_of(row))
        if (!path.empty() && path != "-" && !store::is_server(path)) all.push_back({&row, path});
  for (const Written& output : all) {
    if (writes_file(*output.row, output.path)) TRY(check_is_no_input(output, flags));
    if (output.row->written != Writes::kFolder) files.push_back(output);
  }
  TRY(check_are_different(files));
  for (const Written& output : all) TRY(check_can_be_written(output));
  return {};
}

}  // namespace ridge::cli
