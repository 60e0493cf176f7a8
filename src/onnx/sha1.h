// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4, section 6.1), which ONNX names for the checksums of external data. It detects
// damage, no attack.
//
//   Sha1 hash;
//   hash.add(part);
//   std::string hex = hash.hex();                       // 40 digits
//
// Cost: about 0.5 GB/s. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ridge::onnx {

class Sha1 {
 public:
  void add(std::span<const std::byte> bytes);
  /// Nothing may be added afterwards.
  std::string hex();

 private:
  void compress(const std::byte* block);

  std::array<std::uint32_t, 5> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::array<std::byte, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace ridge::onnx
