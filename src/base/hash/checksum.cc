// SPDX-License-Identifier: Apache-2.0
#include "base/hash/checksum.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ridge {
namespace {

constexpr std::size_t kMd5Digits = 32, kSha256Digits = 64;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

std::string Checksum::text() const {
  if (kind == Kind::kNone) return {};
  return (kind == Kind::kMd5 ? "md5:" : "sha256:") + hex;
}

Result<Checksum> parse_checksum(std::string_view text) {
  Checksum out;
  if (text.empty()) return out;
  const std::size_t colon = text.find(':');
  const std::string_view kind =
      colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
  out.hex = colon == std::string_view::npos ? text : text.substr(colon + 1);
  std::transform(out.hex.begin(), out.hex.end(), out.hex.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
  out.kind = out.hex.size() == kMd5Digits ? Checksum::Kind::kMd5 : Checksum::Kind::kSha256;
  const bool digits = std::all_of(out.hex.begin(), out.hex.end(), is_hex);
  const bool sized = out.hex.size() == kMd5Digits || out.hex.size() == kSha256Digits;
  const bool named = kind.empty() || out.text().starts_with(fmt::format("{}:", kind));
  if (digits && sized && named) return out;
  return input_error("RIDGE-MAN-0024",
                     fmt::format("invalid checksum '{}'", printable(text.substr(0, 80))))
      .hint("expected sha256: and 64 hexadecimal digits, or md5: and 32");
}

}  // namespace ridge
