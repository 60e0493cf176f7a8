// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry_add.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/hash/sha256.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

/// Names of manifests in entries, by the syntax that the name tells.
constexpr std::string_view kNames[] = {"manifest.toml", "manifest.yml"};

Result<std::vector<RegistrySource>> sources_of(const std::vector<NamedFile>& files) {
  std::vector<RegistrySource> out;
  for (const NamedFile& file : files) {
    std::error_code ignored;
    if (!fs::is_directory(file.path, ignored)) {
      out.push_back({file.name, file.path});
      continue;
    }
    for (RegistrySource& source : TRY(sources_below(file.path))) {
      source.name = fmt::format("{}/{}", file.name, source.name);
      out.push_back(std::move(source));
    }
  }
  return out;
}

/// Compares the files of a data set with its checksum.
Result<void> check_data(const ManifestFile& file, std::vector<RegistrySource> sources) {
  const auto* data = std::get_if<DataManifest>(&file.manifest);
  if (data == nullptr || data->checksum.kind == Checksum::Kind::kNone) return {};
  std::sort(sources.begin(), sources.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  RegistryEntry all;
  for (const RegistrySource& source : sources) {
    std::string sha256 = TRY(sha256_of_file(source.path));
    all.files.push_back({source.name, std::move(sha256), 0});
  }
  const std::string found = "sha256:" + all.digest();
  if (found == data->checksum.text()) return {};
  return input_error("RIDGE-MAN-0095", "the files are not those that the manifest names")
      .evidence(
          fmt::format("the manifest states {}, the files have {}", data->checksum.text(), found))
      .hint("fetch them again, or correct the manifest")
      .in_file(file.path);
}

}  // namespace

Result<void> add_external_files(const ExternalFiles& external,
                                std::vector<RegistrySource>& sources) {
  if (!external) return {};
  const std::vector<RegistrySource> models = sources;
  for (const RegistrySource& model : models) {
    if (!model.name.ends_with(".onnx")) continue;
    for (RegistrySource& data : TRY(external(model.path))) {
      data.name = (fs::path(model.name).parent_path() / data.name).lexically_normal();
      const bool named = std::ranges::find(sources, data.name, &RegistrySource::name) !=
                         sources.end();  // by the manifest, or by another model
      if (!named) sources.push_back(std::move(data));
    }
  }
  return {};
}

Result<RegistryEntry> add_manifest(Registry& registry, const ManifestFile& file,
                                   const Surroundings& around, const ExternalFiles& external) {
  if (std::holds_alternative<RuntimeManifest>(file.manifest))
    return input_error("RIDGE-MAN-0092", "a registry has no entries of runtimes")
        .hint("name the file where it is used: ridge eval MODEL --runtime-manifest FILE")
        .in_file(file.path);
  const std::vector<NamedFile> files = TRY(files_of(file, around));
  for (const NamedFile& f : files) TRY(check(f));
  std::vector<RegistrySource> sources = TRY(sources_of(files));
  TRY(check_data(file, sources));
  sources.push_back({std::string(kNames[file.path.ends_with(".toml") ? 0 : 1]), file.path});
  const bool model = std::holds_alternative<ModelManifest>(file.manifest);
  if (model) TRY(add_external_files(external, sources));
  return registry.add(model ? EntryKind::kModel : EntryKind::kDataset,
                      std::string(name_of(file.manifest)), std::string(version_of(file.manifest)),
                      std::move(sources));
}

Result<ManifestFile> manifest_of(const Registry& registry, const RegistryEntry& entry) {
  for (const RegistryFile& file : entry.files)
    if (std::ranges::find(kNames, file.name) != std::end(kNames))
      return read_manifest_file(fmt::format("{}/{}", TRY(registry.unpacked(entry)), file.name));
  return input_error("RIDGE-MAN-0093", fmt::format("{} has no manifest", entry.reference()))
      .hint("add its manifest instead of the file: ridge registry add net.toml");
}

}  // namespace ridge::manifest
