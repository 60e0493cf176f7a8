// SPDX-License-Identifier: Apache-2.0
// Bounded decompression of gzip files.
//
//   if (is_gzip(content)) Unpacked text = TRY(gunzip(content));
//   text.cut_off                      // the file is truncated or damaged before its text ends
//
// All members of a file are read, as gunzip(1) does. A small file can expand to a text of any
// length: more than kUnpackedAtLeast bytes and more than kMaxPacked times the file is refused;
// recorded traces expand 10 to 40 times. Ownership: owns the text. Thread rule: plain functions.
// Cost: linear in the text. Errors (input class): RIDGE-IMP-0060, -0061.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::imports {

inline constexpr std::size_t kUnpackedAtLeast = 64 << 20, kMaxPacked = 200;

struct Unpacked {
  std::string text;
  bool cut_off = false;
};

bool is_gzip(std::string_view beginning);

Result<Unpacked> gunzip(std::string_view packed);

/// Returns the first `length` bytes of the text, or all of it if it is shorter.
std::string gunzip_beginning(std::string_view packed, std::size_t length);

}  // namespace ridge::imports
