// SPDX-License-Identifier: Apache-2.0
#include "base/hash/hashed_text.h"

#include <utility>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/lines.h"

namespace ridge {

Result<HashedText> read_hashed_text(const std::string& path, std::int64_t limit) {
  std::string bytes = TRY(read_file(path, limit));
  std::string hash = sha256_of(bytes);
  return HashedText{TRY(text_of_file(std::move(bytes), path)), std::move(hash)};
}

}  // namespace ridge
