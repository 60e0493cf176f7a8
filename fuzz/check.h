// SPDX-License-Identifier: Apache-2.0
// Helpers of all fuzz targets: a check that aborts the program, and the input as numbers.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ridge::fuzz {

inline void check(bool holds) {
  if (!holds) std::abort();
}

/// Reader of the bytes of an input; 0 beyond its end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::string_view rest() const { return bytes_; }
  unsigned next() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte;
  }
  unsigned below(unsigned bound) { return next() % bound; }

 private:
  std::string_view bytes_;
};

}  // namespace ridge::fuzz
