// SPDX-License-Identifier: Apache-2.0
// A bundle: one file with a result and what it takes to repeat it.
//
//   TRY(seal_run(store, 7, "r.ridge", {}));
//   const Bundle bundle = TRY(Bundle::open("r.ridge"));
//   TRY(bundle.check());                             // every byte, and that the result can be read
//   const store::Store store = TRY(bundle.unpack_store(folder));
//   const std::string model = TRY(bundle.unpack_files(folder)).at(bundle.index().model);
//
// Entries (archive.h): `index.json` (ridge.bundle/1), `result.json` (the document of the run or of
// the evaluation, with its raw samples), `lock.toml` of an evaluation (model, data, steps,
// runtimes, options, seeds, host), `run.db` (a run database with this one result: with recorded
// spans, the state of the host then, and what it was asked for), and `files/N`, the model with its
// external data, inputs, data and labels. `by_reference` leaves the files out and keeps their
// hashes. Sealing the same result of the same files gives the same bytes.
//
// A bundle may be somebody else's: what is unpacked lies below the given folder, and nothing in it
// decides which library is loaded. Errors: as archive.h, the store and the files; input
// class, RIDGE-LAB-0010: a file is not what was measured; RIDGE-LAB-0011: index and entries
// disagree, or a newer ridge sealed it. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/whole_file.h"
#include "evaluation/record/evaluation.h"
#include "lab/bundle/archive.h"
#include "lab/bundle/index.h"
#include "lab/bundle/seal_options.h"
#include "manifest/lock.h"
#include "store/store.h"

namespace ridge::lab {

Result<void> seal_run(const store::Store& store, store::RunId id, const std::string& to,
                      const SealOptions& options);
Result<void> seal_evaluation(const store::Store& store, store::EvaluationId id,
                             const std::string& to, const SealOptions& options);

/// Where the files of a bundle are.
class Unpacked {
 public:
  /// The path of what a run or lock calls `name`: a file, or a folder of files. Other names, such
  /// as zoo:NAME, are their own.
  std::string at(const std::string& name) const;

 private:
  friend class Bundle;
  std::map<std::string, std::string> paths_;  ///< by name
};

class Bundle {
 public:
  static Result<Bundle> open(const std::string& path);

  const std::string& path() const { return archive_.path(); }
  const BundleIndex& index() const { return index_; }
  Result<void> check() const;

  /// The database with the one result, in a folder.
  Result<store::Store> unpack_store(const std::string& folder) const;
  /// Writes the files below a folder. One by reference is taken where the result had it, if what
  /// lies there has its hash; error (RIDGE-LAB-0013) if not.
  Result<Unpacked> unpack_files(const std::string& folder) const;
  /// Error: the bundle has no lock.
  Result<manifest::Lock> lock() const;
  /// Error: the result is no evaluation.
  Result<evaluation::Evaluation> evaluation() const;

 private:
  Bundle(Archive archive, BundleIndex index)
      : archive_(std::move(archive)), index_(std::move(index)) {}
  Result<std::string> unpack(const BundledFile& file, const std::string& folder) const;
  Archive archive_;
  BundleIndex index_;
};

}  // namespace ridge::lab
