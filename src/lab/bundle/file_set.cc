// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/file_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/hash/sha256.h"
#include "base/relative_path.h"
#include "onnx/external_tensors.h"
#include "onnx/weights.h"

namespace ridge::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kZoo = "zoo:";

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

}  // namespace

void FileSet::add_file(const std::string& role, const std::string& path, const std::string& below,
                       const std::string& inside) {
  files_.push_back({.role = role, .name = path, .place = below + "/" + inside});
  paths_.push_back(path);
}

Result<void> FileSet::add_model(const std::string& path, const onnx::Document& document) {
  if (path.starts_with(kZoo)) return {};
  const std::string below =
      fmt::format("model{}", std::ranges::count(files_, "model", &BundledFile::role));
  add_file("model", path, below, file_name(path));
  for (const auto& [location, tensor] : onnx::external_tensors(document.model)) {
    const onnx::WeightRange range = TRY(onnx::locate(document, *tensor));
    const std::string inside = fs::path(location).lexically_normal().string();
    if (!is_below(inside))
      return input_error("RIDGE-LAB-0017", "external data lies where no bundle can put it")
          .evidence(std::string(location))
          .in_file(path);
    add_file("external data", range.file->path(), below, inside);
  }
  return {};
}

Result<void> FileSet::add(const std::string& role, const std::string& path) {
  const std::string below = fmt::format("{}{}", role.substr(0, role.find(' ')), files_.size());
  std::error_code failed;
  if (!fs::is_directory(path, failed)) {
    add_file(role, path, below, file_name(path));
    return {};
  }
  std::set<std::string> names;
  for (fs::directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed))
    if (std::error_code ignored; it->is_regular_file(ignored))
      names.insert(it->path().filename().string());
  if (failed)
    return environment_error("RIDGE-LAB-0012", "cannot read the folder")
        .evidence(failed.message())
        .in_file(path);
  for (const std::string& name : names)
    add_file(role, fmt::format("{}/{}", path, name), below, name);
  return {};
}

Result<void> FileSet::write(ArchiveWriter& out, const SealOptions& options) {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    BundledFile& of = files_[i];
    const File file = TRY(File::open(paths_[i]));
    of.bytes = file.size();
    if (options.by_reference) {
      of.sha256 = TRY(sha256_of(file, options.watch));
      continue;
    }
    of.entry = fmt::format("files/{}", i);
    TRY(out.add_file(of.entry, file));
    of.sha256 = out.last_sha256();
  }
  return {};
}

}  // namespace ridge::lab
