// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, section 6.2) of text and files.
//
//   Sha256 hash;
//   hash.add(part);
//   std::string hex = hash.hex();                       // 64 digits
//   std::string of_file = TRY(sha256_of_file(path));
//
// Cost: about 1.5 GB/s where the processor has instructions for it (sha256_blocks.h), else 0.27
// GB/s. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/hash/sha256_blocks.h"
#include "base/result.h"
#include "base/whole_file.h"

namespace ridge {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Nothing may be added afterwards.
  std::string hex();

 private:
  Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
};

std::string sha256_of(std::string_view bytes);
/// True for 64 hexadecimal digits in small letters, as hex() gives them.
bool is_sha256(std::string_view text);

/// Errors: as whole_file.h.
Result<std::string> sha256_of(const File& file, const HashWatch& watch = {});
Result<std::string> sha256_of_file(const std::string& path, const HashWatch& watch = {});

}  // namespace ridge
