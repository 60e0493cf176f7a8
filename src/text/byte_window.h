// SPDX-License-Identifier: Apache-2.0
// The first and the last bytes of a text as the input of a model over bytes.
//
//   const ByteWindow window{.begin = 1024, .end = 1024, .block = 4096, .strip = Strip::kSpace};
//   byte_window(text, window)      // 2,048 integers: first bytes, padding, last bytes
//
// Arithmetic of Magika's features v2 (PyPI magika 1.0.3, Magika._extract_features_from_seekable):
// of the first `block` bytes, without the white space before them, the first `begin`, padded
// behind; of the last `block` bytes, without the white space after them, the last `end`, padded
// before. Pure function.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridge::text {

/// White space that is taken off: space, tab, LF, VT, FF and CR.
enum class Strip : std::uint8_t { kNone, kSpace };

struct ByteWindow {
  int begin = 0, end = 0;  ///< numbers of bytes; one of them is above 0
  int block = 0;           ///< bytes at either side that are looked at; 0: all
  int pad = 256;           ///< where the text has no byte
  Strip strip = Strip::kNone;

  bool operator==(const ByteWindow&) const = default;
};

/// Elements that a window may have.
inline constexpr int kMostBytes = 1 << 20;

std::vector<std::int64_t> byte_window(std::string_view text, const ByteWindow& window);

}  // namespace ridge::text
