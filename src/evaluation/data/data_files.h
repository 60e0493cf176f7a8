// SPDX-License-Identifier: Apache-2.0
// The files of a data set, found once, and what their bytes hash to.
//
//   const DataFiles files = TRY(find_files(data));        // lists a folder, or opens an array
//   const std::string hash = TRY(data_sha256(files));
//   const LabelsFile labels = TRY(read_labels_file(data.labels, 1 << 20));
//   labels.sha256, labels.bytes
//
// Samples of a folder are its images; its .txt where the step is tokens(...); all files whose name
// does not begin with a dot where it is bytes(...).
//
// SHA-256 of an array or of lines: of its file. Of a folder: of a line `HASH  NAME` for each of its
// files, in the order of their names (`sha256sum * | sha256sum`); of data, of those that are
// samples.
//
// Errors: input class, RIDGE-WB-0111 (an image that is not decoded or is no file, too many files);
// environment class, RIDGE-WB-0113 (a folder that cannot be read); as files and the watch
// (base/whole_file.h). Thread rule: plain functions and values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/result.h"
#include "base/whole_file.h"
#include "evaluation/data/data_request.h"

namespace ridge::evaluation {

/// Error for data that the model or the steps cannot take (RIDGE-WB-0111).
Error unfit_data(std::string message);

/// Hash of the names and contents of files.
class FilesHash {
 public:
  /// `sha256`: of the file's content.
  void add(const std::string& name, const std::string& sha256);
  /// Nothing may be added afterwards.
  std::string hex();

 private:
  Sha256 hash_;
};

struct DataFiles {
  std::vector<std::string> samples;  ///< paths of the samples of a folder, in order
  std::optional<File> file;          ///< a source that is no folder: an array, or lines of text
};
Result<DataFiles> find_files(const EvaluationData& data);
Result<std::string> data_sha256(const DataFiles& files, const HashWatch& watch = {});

struct LabelsFile {
  std::string sha256;
  /// Content that was hashed; null for a folder, whose readers take a file for each sample, and for
  /// a file that is larger than what is kept.
  std::shared_ptr<const std::string> bytes;
};
/// `kept`: most bytes that are kept.
Result<LabelsFile> read_labels_file(const std::string& path, std::int64_t kept,
                                    const HashWatch& watch = {});

}  // namespace ridge::evaluation
