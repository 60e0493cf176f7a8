// SPDX-License-Identifier: Apache-2.0
// The files of a result, found on this machine and named for a bundle.
//
//   FileSet files;
//   TRY(files.add_model("nets/a.onnx", document));     // and its external data
//   TRY(files.add("labels", "labels.txt"));
//   TRY(files.write(archive, options));                // files/0, files/1, ...
//
// Errors: as the files give them. Thread rule: one thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/bundle/archive.h"
#include "lab/bundle/index.h"
#include "lab/bundle/seal_options.h"
#include "onnx/document.h"

namespace ridge::lab {

class FileSet {
 public:
  /// `document`: of the model. Nothing to add for "zoo:NAME".
  Result<void> add_model(const std::string& path, const onnx::Document& document);
  /// A file, or each file of a folder in the order of their names.
  Result<void> add(const std::string& role, const std::string& path);
  /// Writes the entries, unless by reference, and completes hashes and sizes.
  Result<void> write(ArchiveWriter& out, const SealOptions& options);

  const std::vector<BundledFile>& files() const { return files_; }

 private:
  /// `below`: folder in which it is unpacked; `inside`: path there.
  void add_file(const std::string& role, const std::string& path, const std::string& below,
                const std::string& inside);
  std::vector<BundledFile> files_;
  std::vector<std::string> paths_;  ///< on this machine
};

}  // namespace ridge::lab
