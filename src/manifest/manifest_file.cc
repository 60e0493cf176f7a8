// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/hash/md5.h"
#include "base/hash/sha256.h"
#include "base/lines.h"
#include "base/text.h"
#include "manifest/manifest_reader.h"
#include "manifest/registry_entry.h"
#include "manifest/run_steps.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxBytes = std::int64_t{2} << 20;
constexpr std::string_view kCache = "cache:";

/// "net.onnx" of "https://host/a/net.onnx?download=1".
std::string last_part(std::string_view stated) {
  if (stated.find("://") != std::string_view::npos) stated = stated.substr(0, stated.find('?'));
  while (stated.ends_with('/')) stated.remove_suffix(1);
  return std::string(stated.substr(stated.find_last_of("/:") + 1));
}

std::string entry_name(std::string_view stated) {
  while (stated.ends_with('/')) stated.remove_suffix(1);
  const bool own = !stated.starts_with(kCache) && is_file_name(stated);
  return std::string(own ? stated : stated.substr(stated.find_last_of("/:") + 1));
}

Result<void> add_asset(const ManifestFile& file, const Asset& asset, const std::string& base_url,
                       const Surroundings& around, std::vector<NamedFile>& out) {
  if (asset.path.empty() || asset.path.starts_with("zoo:")) return {};
  NamedFile found = named_file(file, asset, around);
  std::error_code ignored;
  if (!fs::exists(found.path, ignored)) {
    Error error = input_error("RIDGE-MAN-0090", fmt::format("the manifest names '{}', which is "
                                                            "not there",
                                                            printable(asset.path)))
                      .evidence(fmt::format("expected as {}", found.path));
    const bool web = base_url.starts_with("http") || asset.path.starts_with("http");
    return std::move(error)
        .hint(web ? fmt::format("nothing is downloaded; fetch {}{} and put it there{}",
                                asset.path.starts_with("http") ? "" : base_url, asset.path,
                                around.root_flag.empty()
                                    ? ""
                                    : ", or name a folder that has it: " + around.root_flag)
                  : std::string("paths are relative to the manifest's folder"))
        .in_file(file.path);
  }
  out.push_back(std::move(found));
  return {};
}

}  // namespace

bool is_manifest_name(std::string_view path) {
  return path.ends_with(".toml") || path.ends_with(".yml") || path.ends_with(".yaml");
}

Result<ManifestFile> read_manifest_file(const std::string& path) {
  const std::string text = TRY(read_text_file(path, kMaxBytes));
  auto manifest = read_manifest(text, syntax_of(path));
  if (!manifest.ok()) return std::move(manifest).error().in_file(path);
  return ManifestFile{path, fs::path(path).parent_path().string(), std::move(*manifest)};
}

NamedFile named_file(const ManifestFile& of, const Asset& asset, const Surroundings& around) {
  NamedFile out{entry_name(asset.path), {}, asset.checksum};
  const fs::path folder = of.folder.empty() ? fs::path(".") : fs::path(of.folder);
  if (around.in_registry)
    out.path = (folder / out.name).string();
  else if (asset.path.starts_with(kCache))
    out.path = (fs::path(around.cache) / asset.path.substr(kCache.size())).string();
  else
    out.path = of.folder.empty() ? asset.path : (folder / asset.path).string();
  if (around.root.empty() || around.in_registry) return out;
  std::error_code ignored;
  if (asset.path.find("://") != std::string::npos || !fs::exists(out.path, ignored))
    out.path = (fs::path(around.root) / last_part(asset.path)).string();
  return out;
}

Result<std::vector<NamedFile>> files_of(const ManifestFile& file, const Surroundings& around) {
  std::vector<NamedFile> out;
  if (const auto* model = std::get_if<ModelManifest>(&file.manifest)) {
    for (const Asset* asset : {&model->graph, &model->weights, &model->features})
      TRY(add_asset(file, *asset, model->base_url, around, out));
    for (const Tensor& input : model->inputs)
      if (input.steps) TRY(add_asset(file, tokenizer_of(*input.steps), "", around, out));
    if (is_manifest_name(model->dataset))
      TRY(add_asset(file, {model->dataset, {}}, "", around, out));
    return out;
  }
  const auto* data = std::get_if<DataManifest>(&file.manifest);
  if (data == nullptr) return out;
  if (!data->folder.empty()) TRY(add_asset(file, {data->folder, {}}, "", around, out));
  for (const std::string& path : data->files) TRY(add_asset(file, {path, {}}, "", around, out));
  for (const Asset* asset : {&data->labels, &data->samples})
    TRY(add_asset(file, *asset, "", around, out));
  return out;
}

Result<void> check(const NamedFile& file) {
  if (file.checksum.kind == Checksum::Kind::kNone) return {};
  const bool md5 = file.checksum.kind == Checksum::Kind::kMd5;
  const std::string found = md5 ? TRY(md5_of_file(file.path)) : TRY(sha256_of_file(file.path));
  if (found == file.checksum.hex) return {};
  return input_error("RIDGE-MAN-0091", "the file is not the one that the manifest names")
      .evidence(fmt::format("the manifest states {}, the file has {}", file.checksum.text(), found))
      .hint(
          "the file may be damaged or of another version; fetch it again, or correct the "
          "manifest")
      .in_file(file.path);
}

}  // namespace ridge::manifest
