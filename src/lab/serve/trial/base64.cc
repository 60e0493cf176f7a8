// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/base64.h"

#include <cstddef>
#include <cstdint>

namespace ridge::lab::serve {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The six bits of a digit; nullopt for another character.
std::optional<std::uint32_t> bits_of(char c) {
  const std::size_t at = kAlphabet.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  while (text.ends_with('=') && text.size() % 4 != 2) text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const auto more = bits_of(c);
    if (!more) return std::nullopt;
    held = held << 6 | *more;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits);
    held &= (1U << bits) - 1;
  }
  if (held != 0) return std::nullopt;
  return out;
}

}  // namespace ridge::lab::serve
