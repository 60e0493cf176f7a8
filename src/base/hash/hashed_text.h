// SPDX-License-Identifier: Apache-2.0
// A text file and the SHA-256 of its bytes, from one reading: what is parsed is what is hashed.
//
//   FileHashes hashes;
//   const HashedText conf = TRY(read_hashed_text(path, limit));
//   hashes[path] = conf.sha256;
//
// Errors: as read_text_file() (base/lines.h). Thread rule: plain function and values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace ridge {

struct HashedText {
  std::string text;    ///< without a mark of UTF-8
  std::string sha256;  ///< hash of the file's bytes, with the mark
};

/// SHA-256 of files, by their path.
using FileHashes = std::map<std::string, std::string>;

Result<HashedText> read_hashed_text(const std::string& path, std::int64_t limit);

}  // namespace ridge
