// Texts that were packed with gzip, unpacked within bounds.
//
//   if (is_gzip(content)) Unpacked text = TRY(gunzip(content));
//   text.cut_off                      // the file ends, or is damaged, before its text does
//
// A file of several members is read whole, as gunzip(1) does. A short file may claim a text of any
// length: what exceeds kUnpackedAtLeast bytes and kMostPacked times the file is refused; recorded
// traces take 10 to 40 times as much as their files. Ownership: owns the text. Thread rule: plain
// functions. Cost: linear in the text. Errors (input class): RIDGE-IMP-0060, -0061.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::imports {

inline constexpr std::size_t kUnpackedAtLeast = 64 << 20, kMostPacked = 200;

struct Unpacked {
  std::string text;
  bool cut_off = false;
};

bool is_gzip(std::string_view beginning);

Result<Unpacked> gunzip(std::string_view packed);

/// The first `length` bytes of the text, or what there is of them.
std::string gunzip_beginning(std::string_view packed, std::size_t length);

}  // namespace ridge::imports
