// SPDX-License-Identifier: Apache-2.0
// Checksums as manifests write them: "sha256:" or "md5:" and hexadecimal digits, or the digits
// alone, whose number tells which it is.
//
//   Checksum c = TRY(parse_checksum("sha256:9f86d081884c7d659a2feaa0c55ad015..."));
//
// MD5 is there to check files of the public catalogue, which knows nothing else; it protects
// against damage, not against intent. Errors: input class. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

struct Checksum {
  enum class Kind : std::uint8_t { kNone, kMd5, kSha256 };

  Kind kind = Kind::kNone;
  std::string hex;  ///< lower case

  /// "sha256:..."; "" if there is none.
  std::string text() const;
  bool operator==(const Checksum&) const = default;
};

/// Empty text is no checksum.
Result<Checksum> parse_checksum(std::string_view text);

}  // namespace ridge
