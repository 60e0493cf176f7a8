// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/data_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/hash/sha256.h"
#include "base/text.h"

namespace ridge::evaluation {
namespace {

constexpr std::size_t kMaxSamples = 10'000'000;

std::string lower_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return ending;
}

bool is_image(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 5> kRead = {".jfif", ".jpe", ".jpeg", ".jpg", ".png"};
  return std::ranges::find(kRead, lower_ending(path)) != kRead.end();
}

/// Images that are not decoded here. Other files of a folder are no samples.
bool is_other_image(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 17> kOther = {
      ".avif", ".bmp", ".dib", ".exr", ".gif", ".heic", ".heif", ".j2k", ".jp2",
      ".pbm",  ".pgm", ".pnm", ".ppm", ".tga", ".tif",  ".tiff", ".webp"};
  return std::ranges::find(kOther, lower_ending(path)) != kOther.end();
}

/// Left out, they would be missing from every figure.
Error not_decoded(std::vector<std::string> names) {
  std::ranges::sort(names);
  constexpr std::size_t kShown = 3;
  const std::size_t all = names.size();
  names.resize(std::min(all, kShown));
  return unfit_data(fmt::format("{} of the folder {} neither JPEG nor PNG",
                                counted(static_cast<std::int64_t>(all), "image"),
                                all == 1 ? "is" : "are"))
      .evidence(printable(fmt::format("{}{}", fmt::join(names, ", "), all > kShown ? ", ..." : "")))
      .hint("convert them to PNG, which loses nothing, or take them out of the folder");
}

/// Files of a folder that are samples.
enum class FileKind : std::uint8_t { kImages, kTexts, kAll };

FileKind kind_of(const EvaluationData& data) {
  if (data.steps.empty() || !pipeline::takes_text(data.steps[0])) return FileKind::kImages;
  return std::holds_alternative<pipeline::ByteWindow>(data.steps[0]) ? FileKind::kAll
                                                                     : FileKind::kTexts;
}

std::string_view named_as(FileKind kind) {
  return kind == FileKind::kImages ? "an image" : kind == FileKind::kTexts ? "a text" : "a sample";
}

bool is_sample(const std::filesystem::path& path, FileKind kind) {
  if (kind == FileKind::kImages) return is_image(path);
  if (kind == FileKind::kTexts) return lower_ending(path) == ".txt";
  return !path.filename().string().starts_with('.');
}

Result<std::vector<std::string>> samples_of(const std::string& folder, FileKind kind) {
  std::vector<std::string> out;
  std::error_code failed;
  std::vector<std::string> others;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (!entry.is_regular_file(failed)) {
      if (is_sample(entry.path(), kind) && !entry.is_directory(failed))
        return unfit_data(fmt::format("it is named as {} and is no file", named_as(kind)))
            .in_file(entry.path().string());
      continue;
    }
    if (kind == FileKind::kImages && is_other_image(entry.path()))
      others.push_back(entry.path().filename().string());
    if (!is_sample(entry.path(), kind)) continue;
    out.push_back(entry.path().string());
    if (out.size() > kMaxSamples) return unfit_data("the folder has too many files");
  }
  if (failed)
    return environment_error("RIDGE-WB-0113", "the folder cannot be read: " + failed.message())
        .in_file(folder);
  if (!others.empty()) return not_decoded(std::move(others)).in_file(folder);
  std::ranges::sort(out);
  return out;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// Hash of the names and contents of all files of a folder, in the order of their names.
Result<std::string> folder_sha256(const std::string& folder, const HashWatch& watch) {
  std::error_code failed;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.is_regular_file(failed)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  FilesHash all;
  for (const std::string& name : names)
    all.add(name, TRY(sha256_of_file(fmt::format("{}/{}", folder, name), watch)));
  return all.hex();
}

}  // namespace

Error unfit_data(std::string message) { return input_error("RIDGE-WB-0111", std::move(message)); }

void FilesHash::add(const std::string& name, const std::string& sha256) {
  hash_.add(fmt::format("{}  {}\n", sha256, name));
}

std::string FilesHash::hex() { return hash_.hex(); }

Result<DataFiles> find_files(const EvaluationData& data) {
  DataFiles out;
  if (!is_folder(data.source)) {
    out.file = TRY(File::open(data.source));
    return out;
  }
  out.samples = TRY(samples_of(data.source, kind_of(data)));
  if (data.limit > 0 && data.limit < out.samples.size()) out.samples.resize(data.limit);
  return out;
}

Result<std::string> data_sha256(const DataFiles& files, const HashWatch& watch) {
  if (files.file) return sha256_of(*files.file, watch);
  FilesHash all;
  for (const std::string& path : files.samples)
    all.add(std::filesystem::path(path).filename().string(), TRY(sha256_of_file(path, watch)));
  return all.hex();
}

Result<LabelsFile> read_labels_file(const std::string& path, std::int64_t kept,
                                    const HashWatch& watch) {
  LabelsFile out;
  if (is_folder(path)) {
    out.sha256 = TRY(folder_sha256(path, watch));
    return out;
  }
  const File file = TRY(File::open(path));
  const auto bytes = file.size() <= kept ? std::make_shared<std::string>() : nullptr;
  Sha256 hash;
  TRY(each_piece(
      file,
      [&](std::string_view piece) {
        hash.add(piece);
        if (bytes != nullptr) bytes->append(piece);
      },
      watch));
  out.sha256 = hash.hex();
  out.bytes = bytes;
  return out;
}

}  // namespace ridge::evaluation
