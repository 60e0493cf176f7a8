// SPDX-License-Identifier: Apache-2.0
// Manifests in a registry: the entry has the manifest, every file that it names, and the files with
// external data that its models name.
//
//   Registry registry(folder);
//   ManifestFile file = TRY(read_manifest_file("net.toml"));
//   RegistryEntry e = TRY(add_manifest(registry, file, {.cache = cache_folder}, external_files));
//   ManifestFile same = TRY(manifest_of(registry, e));     // with Surroundings::in_registry
//
// Checksums of the manifest are compared with the content before anything is added; the checksum of
// a data set is over all of its files but the manifest. Errors: as manifest_file.h and registry.h;
// input class: RIDGE-MAN-0092 for a manifest that no entry stands for, 0093 for an entry without
// manifest, 0095 for a data set with another checksum. Thread rule: the registry's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "manifest/manifest_file.h"
#include "manifest/registry.h"

namespace ridge::manifest {

/// Files with the external data of a model, under names that are relative to it as the model names
/// them. Empty: models have none.
using ExternalFiles = std::function<Result<std::vector<RegistrySource>>(const std::string& path)>;

/// Adds the external data of the models among the sources, beside them.
Result<void> add_external_files(const ExternalFiles& external,
                                std::vector<RegistrySource>& sources);

Result<RegistryEntry> add_manifest(Registry& registry, const ManifestFile& file,
                                   const Surroundings& around, const ExternalFiles& external = {});

/// Manifest of an entry, unpacked.
Result<ManifestFile> manifest_of(const Registry& registry, const RegistryEntry& entry);

}  // namespace ridge::manifest
