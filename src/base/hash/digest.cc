// SPDX-License-Identifier: Apache-2.0
#include "base/hash/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace ridge {
void Digest::add(std::string_view text) {
  add(text.size());
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(8, text.size()))) {
    std::array<unsigned char, 8> bytes{};
    std::memcpy(bytes.data(), text.data(), std::min<std::size_t>(8, text.size()));
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
    add(word);
  }
}

std::string Digest::hex() {
  // avalanche: diffuses the last words into all bits
  for (int i = 0; i < 4; ++i) add(std::uint64_t{0});
  return fmt::format("{:016x}{:016x}", state_[0], state_[1]);
}

}  // namespace ridge
