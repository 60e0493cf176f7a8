// Manifests in a registry: the entry has the manifest and every file that it names.
//
//   Registry registry = TRY(Registry::open(folder));
//   ManifestFile file = TRY(read_manifest_file("net.toml"));
//   RegistryEntry e = TRY(add_manifest(registry, file, {.cache = cache_folder}));
//   ManifestFile same = TRY(manifest_of(registry, e));     // with Surroundings::in_registry
//
// Checksums of the manifest are compared with the content before anything is added; that of a data
// set is over all of its files but the manifest. Errors: those of manifest_file.h and registry.h;
// input class: RIDGE-MAN-0092 for a manifest that no entry stands for, 0093 for an entry without
// manifest. Thread rule: that of the registry.
#pragma once

#include "manifest/manifest_file.h"
#include "manifest/registry.h"

namespace ridge::manifest {

Result<RegistryEntry> add_manifest(Registry& registry, const ManifestFile& file,
                                   const Surroundings& around);

/// True if the entry has a manifest.
bool has_manifest(const RegistryEntry& entry);

/// Manifest of an entry, unpacked.
Result<ManifestFile> manifest_of(const Registry& registry, const RegistryEntry& entry);

}  // namespace ridge::manifest
