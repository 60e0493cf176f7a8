// SPDX-License-Identifier: Apache-2.0
// A file of entries of which every byte is checked: a tar file (POSIX.1-1988 ustar) of a fixed
// form.
//
//   ArchiveWriter out = TRY(ArchiveWriter::create("r.ridge"));
//   TRY(out.add("run.json", text));
//   TRY(out.add_file("files/0", TRY(File::open("model.onnx"))));
//   TRY(out.commit());                               // writes the seal
//
//   const Archive in = TRY(Archive::open("r.ridge"));
//   TRY(in.check());                                 // every byte; the error says where
//   const std::string text = TRY(in.read("run.json", limit));
//
// The form: regular files alone, mode 0444, owner 0, time 0, sizes in octal (from 8 GiB on in base
// 256, as GNU tar writes them), names of letters, digits and "._-/" up to 100 characters without
// ".." and a leading "/"; each padded with zeros to 512 bytes; last "seal", the lines of sha256sum
// for the others in their order, then a comment with the hash of those lines; then two blocks of
// zeros and nothing. So the same entries give the same bytes, and another form is refused. `tar xf`
// and `sha256sum -c seal` read it.
//
// An open() reads the headers alone; names, sizes and number of entries of a hostile file are
// bounded before anything is allocated for them. Errors: input class (RIDGE-LAB-0001 to 0004) with
// entry and byte. Ownership: both own their file. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/file_writer.h"
#include "base/result.h"

namespace ridge::lab {

class ArchiveWriter {
 public:
  static Result<ArchiveWriter> create(const std::string& path);
  /// Names must be of the form, and none may come twice: a defect of the caller.
  Result<void> add(std::string_view name, std::string_view bytes);
  Result<void> add_file(std::string_view name, const File& file);
  /// SHA-256 of the entry that was added last.
  const std::string& last_sha256() const { return last_sha256_; }
  /// Writes the seal; the file is there afterwards.
  Result<void> commit();

 private:
  explicit ArchiveWriter(FileWriter out) : out_(std::move(out)) {}
  Result<void> begin(std::string_view name, std::int64_t size);
  Result<void> end(std::string_view name, std::int64_t size, std::string sha256);

  FileWriter out_;
  std::string seal_, last_sha256_;
};

class Archive {
 public:
  struct Entry {
    std::string name;
    std::int64_t at = 0;  ///< byte of the file at which its content begins
    std::int64_t size = 0;
  };

  /// Errors: not an archive, of another form, cut short.
  static Result<Archive> open(const std::string& path);

  const std::string& path() const { return file_.path(); }
  /// Without the seal, in their order.
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;

  /// Checks every byte of the file against the seal, and the seal against itself. The error names
  /// the first entry that differs. Cost: reading and hashing the file.
  Result<void> check() const;
  /// Content of an entry, which must be there (input error), compared with its hash in the seal.
  /// More than `limit` bytes is an input error.
  Result<std::string> read(std::string_view name, std::int64_t limit) const;
  /// Copies the content of an entry to a new file; compared in the same way.
  Result<void> extract(std::string_view name, const std::string& to) const;

 private:
  explicit Archive(File file) : file_(std::move(file)) {}
  Result<void> read_headers();
  Result<void> read_seal();
  Result<std::string> content(const Entry& entry) const;
  Error damaged(std::string_view entry, std::int64_t at, std::string why) const;
  /// Hash of the content of an entry, whose padding must be zero.
  Result<std::string> hash(const Entry& entry) const;
  Result<void> must_match(const Entry& entry, const std::string& sha256) const;

  File file_;
  std::vector<Entry> entries_;
  std::vector<std::string> sha256_;  ///< in the seal, of each entry
  Entry seal_;
};

}  // namespace ridge::lab
