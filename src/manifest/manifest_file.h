// SPDX-License-Identifier: Apache-2.0
// A manifest on disk, and the files that it names.
//
//   ManifestFile file = TRY(read_manifest_file("net.yml"));
//   for (const NamedFile& f : TRY(files_of(file, {.cache = cache_folder}))) TRY(check(f));
//
// Paths are relative to the manifest's folder; those that begin with "cache:" to the cache folder,
// where scripts put what they fetch. Below a registry's folder all files lie beside the manifest
// under their name in the entry: the path itself, or its last part if it is absolute, begins with
// "cache:" or leads out of the folder. Nothing is downloaded: what a manifest names by a URL is
// taken from the folder `root`, where its last part names it, and compared with its checksum.
//
// Errors (input class): the reader's, with the file; RIDGE-MAN-0090 for a file that is
// absent, 0091 for another checksum. Thread rule: plain data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

struct ManifestFile {
  std::string path, folder;
  Manifest manifest;
};

/// True if the name ends as manifests do: .toml, .yml, .yaml.
bool is_manifest_name(std::string_view path);

Result<ManifestFile> read_manifest_file(const std::string& path);

/// Where files of a manifest are.
struct Surroundings {
  std::string cache;  ///< folder of "cache:"; "": none
  bool in_registry = false;
  /// Folder with files of manifests that name them by a URL, or not beside the manifest, under the
  /// last part of their name; "": none.
  std::string root = {};
  std::string root_flag = {};  ///< how a user names it, for hints; "": not at all
};

struct NamedFile {
  std::string name;  ///< in an entry of a registry
  std::string path;  ///< where it is; a file or folder
  Checksum checksum;
};

NamedFile named_file(const ManifestFile& of, const Asset& asset, const Surroundings& around);

/// Files and folders that the manifest names, absent ones refused; the manifest is not among them.
Result<std::vector<NamedFile>> files_of(const ManifestFile& file, const Surroundings& around);

/// Compares the content with the checksum, if it has one.
Result<void> check(const NamedFile& file);

}  // namespace ridge::manifest
