// A folder of models, data sets and labels by name and version. Content is kept once, under its
// SHA-256; an entry names what belongs to it.
//
//   Registry registry = TRY(Registry::open(folder));
//   TRY(registry.add(EntryKind::kModel, "digits", "1.0.0", {{"net.onnx", "/home/me/net.onnx"}}));
//   RegistryEntry e = TRY(registry.resolve(EntryKind::kModel, TRY(parse_reference("digits@^1"))));
//   std::string path = TRY(registry.content(e.files[0]));
//
// Several processes may use one folder: whatever changes it holds the file `lock` (flock); readers
// need no lock, because files appear by renaming. Content is written before the entry that names
// it, and removed after; a process that dies in between leaves content that nothing names, which
// the next remove() deletes. A name and version never changes its content. Errors: what a user can
// correct is input class, the rest environment. Thread rule: one object per thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "manifest/registry_entry.h"
#include "manifest/version.h"

namespace ridge::manifest {

/// A file to add: its name in the entry, and where it is now.
struct RegistrySource {
  std::string name, path;
};

/// Regular files below a folder, by name; symbolic links are not followed.
Result<std::vector<RegistrySource>> sources_below(const std::string& folder);

class Registry {
 public:
  /// Creates the folder if it is absent.
  static Result<Registry> open(const std::string& folder);

  /// Copies the sources. Adding the same content again changes nothing.
  Result<RegistryEntry> add(EntryKind kind, const std::string& name, const std::string& version,
                            std::vector<RegistrySource> sources);

  /// By kind, name and precedence of versions.
  Result<std::vector<RegistryEntry>> list() const;

  Result<RegistryEntry> find(EntryKind kind, const std::string& name,
                             const std::string& version) const;

  /// Highest version that the constraint allows.
  Result<RegistryEntry> resolve(EntryKind kind, const Reference& reference) const;

  /// Deletes the entry, and content that no other entry names.
  Result<void> remove(EntryKind kind, const std::string& name, const std::string& version);

  /// Path of the content of a file of an entry; error if it is absent or has another size.
  Result<std::string> content(const RegistryFile& file) const;

  /// Folder with the files of an entry under their names, as links to the content: for readers that
  /// need endings, or files beside each other. Not to be written to.
  Result<std::string> unpacked(const RegistryEntry& entry) const;

  /// Computes the hash of every file of the entry again.
  Result<void> verify(const RegistryEntry& entry) const;

 private:
  explicit Registry(std::string folder) : folder_(std::move(folder)) {}

  std::string entries_folder(EntryKind kind, std::string_view name) const;
  std::string entry_path(EntryKind kind, std::string_view name, std::string_view version) const;
  std::string content_path(std::string_view sha256) const;
  std::string unpacked_path(std::string_view digest) const;
  Result<RegistryEntry> read_entry(const std::string& path) const;
  Result<std::vector<RegistryEntry>> versions(EntryKind kind, const std::string& name) const;
  Result<RegistryFile> copy(const RegistrySource& source) const;
  Result<void> delete_unnamed() const;

  std::string folder_;
};

}  // namespace ridge::manifest
