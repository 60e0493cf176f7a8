// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321) of files, which the checksums of the public catalogue are.
//
//   Md5 hash;
//   hash.add(part);
//   hash.hex();                                         // 32 digits
//   std::string of_file = TRY(md5_of_file(path));
//
// For comparison alone: an equal MD5 says that a file was not damaged. It proves nothing against an
// attacker, who can make two files of one MD5 (RFC 6151). Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

class Md5 {
 public:
  void add(std::string_view bytes);
  /// Nothing may be added afterwards.
  std::string hex();

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::array<unsigned char, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
};

std::string md5_of(std::string_view bytes);

/// Errors: as File.
Result<std::string> md5_of_file(const std::string& path);

}  // namespace ridge
