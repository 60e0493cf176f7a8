// SPDX-License-Identifier: Apache-2.0
// A folder of models, data sets and labels by name and version. Content is kept once, under its
// SHA-256; an entry names what belongs to it.
//
//   Registry registry = TRY(Registry::open(folder));
//   TRY(registry.add(EntryKind::kModel, "digits", "1.0.0", {{"net.onnx", "/home/me/net.onnx"}}));
//   RegistryEntry e = TRY(registry.resolve(EntryKind::kModel, TRY(parse_reference("digits@^1"))));
//   std::string path = TRY(registry.content(e.files[0]));
//
// Several processes may use one folder: whatever changes it holds the file `lock` (flock), for
// which another waits (folder_lock.h); readers need no lock, because files appear by renaming, and
// write nothing, so that the folder may be read-only. Content is synced before the entry that names
// it is written, and removed after; a process that dies in between leaves content that nothing
// names, which the next remove() deletes. A name and version never changes its content. One damaged
// entry keeps no other from being used. Errors: what a user can correct is input class, the rest
// environment. Thread rule: one object per thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "manifest/folder_lock.h"
#include "manifest/registry_entry.h"
#include "manifest/version.h"

namespace ridge::manifest {

/// A file to add: its name in the entry, and where it is now.
struct RegistrySource {
  std::string name, path;
};

/// Content of a registry.
struct RegistryListing {
  std::vector<RegistryEntry> entries;  ///< by kind, name and precedence of versions
  std::vector<Error> damaged;          ///< entries, or folders of them, that cannot be read
};

/// Regular files below a folder, by name; symbolic links are not followed.
Result<std::vector<RegistrySource>> sources_below(const std::string& folder);

class Registry {
 public:
  /// The folder need not exist; add() creates it.
  explicit Registry(std::string folder, Patience patience = {})
      : folder_(std::move(folder)), patience_(std::move(patience)) {}

  /// Copies the sources, and unpacks the entry. Adding the same content again changes nothing.
  Result<RegistryEntry> add(EntryKind kind, const std::string& name, const std::string& version,
                            std::vector<RegistrySource> sources);

  RegistryListing list() const;

  /// True if there is an entry of that name, and of that version if one is given, damaged ones
  /// included.
  bool has(EntryKind kind, const std::string& name, const std::string& version = "") const;

  Result<RegistryEntry> find(EntryKind kind, const std::string& name,
                             const std::string& version) const;

  /// Highest version that the constraint allows; an error if that entry is damaged.
  Result<RegistryEntry> resolve(EntryKind kind, const Reference& reference) const;

  /// Deletes the entry, which may be damaged, and content that no other entry names; none while
  /// another entry is damaged, because it may name that.
  Result<void> remove(EntryKind kind, const std::string& name, const std::string& version);

  /// Path of the content of a file of an entry; error if it is no file or has another size.
  Result<std::string> content(const RegistryFile& file) const;

  /// Folder with the files of an entry under their names, as links to the content: for readers that
  /// need endings, or files beside each other. Not to be written to. A folder that lacks a file, or
  /// has another one or other content, is unpacked again; where that is impossible, an error.
  Result<std::string> unpacked(const RegistryEntry& entry) const;

  /// Error for the first file of the entry whose content is no file or has another size.
  Result<void> check_content(const RegistryEntry& entry) const;

  /// Computes the hash of every file of the entry again.
  Result<void> verify(const RegistryEntry& entry) const;

 private:
  std::string entries_folder(EntryKind kind, std::string_view name) const;
  std::string entry_path(EntryKind kind, std::string_view name, std::string_view version) const;
  std::string content_path(std::string_view sha256) const;
  std::string unpacked_path(std::string_view digest) const;
  Result<RegistryEntry> read_entry(const std::string& path) const;
  Result<std::vector<std::string>> versions(EntryKind kind, const std::string& name) const;
  Result<RegistryFile> copy(const RegistrySource& source) const;
  Result<void> delete_unnamed() const;
  Result<void> check_unpacked(const RegistryEntry& entry, const std::string& folder) const;
  Result<void> unpack(const RegistryEntry& entry, const std::string& folder) const;

  std::string folder_;
  Patience patience_;
};

}  // namespace ridge::manifest
