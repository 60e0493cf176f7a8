// SPDX-License-Identifier: Apache-2.0
// Files that an agent was sent, by their SHA-256: kept from job to job, below the cache folder.
//
//   FileCache cache = TRY(FileCache::open(folder));
//   if (!cache.has(file)) ...ask for it...
//   TRY(cache.add(file, part));                   // part after part; the last one is checked
//   TRY(cache.place(file, work_folder));          // a hard link at file.path
//
// A file is in the cache once all its bytes hash to its name; a transfer that ended early leaves
// nothing. Errors: environment class where the disk is full or the folder cannot be written (as
// file_writer.h); RIDGE-LAB-0104, input class, for bytes with another hash or more than announced,
// and for paths that lead out of the folder. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>

#include "base/file_writer.h"
#include "base/hash/sha256.h"
#include "base/result.h"
#include "lab/agent/messages.h"

namespace ridge::lab {

class FileCache {
 public:
  /// Creates the folder and those above it.
  static Result<FileCache> open(std::string folder);

  bool has(const JobFile& file) const;
  /// Parts of one file come one after the other.
  Result<void> add(const JobFile& file, const FilePart& part);
  /// Links a file of the cache into `folder`, with the folders of its path.
  Result<void> place(const JobFile& file, const std::string& folder) const;

 private:
  struct Arriving {
    std::string sha256;
    FileWriter writer;
    Sha256 hash;
    std::int64_t bytes = 0;
  };

  explicit FileCache(std::string folder) : folder_(std::move(folder)) {}
  std::string path_of(const JobFile& file) const { return folder_ + "/" + file.sha256; }
  Result<void> take(const JobFile& file, const FilePart& part);

  std::string folder_;
  std::optional<Arriving> arriving_;
};

/// Input error RIDGE-LAB-0104 unless path, hash and size of a file are such.
Result<void> check(const JobFile& file);

}  // namespace ridge::lab
