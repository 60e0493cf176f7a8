// SPDX-License-Identifier: Apache-2.0
#include "base/hash/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ridge {
void Sha256::add(std::string_view bytes) {
  bytes_ += bytes.size();
  const Sha256Blocks compress = fastest_sha256_blocks();
  if (filled_ > 0) {
    const std::size_t part = std::min(bytes.size(), block_.size() - filled_);
    std::memcpy(block_.data() + filled_, bytes.data(), part);
    filled_ += part;
    bytes.remove_prefix(part);
    if (filled_ < block_.size()) return;
    compress(state_, block_.data(), 1);
    filled_ = 0;
  }
  const std::size_t whole = bytes.size() / block_.size();
  compress(state_, reinterpret_cast<const unsigned char*>(bytes.data()), whole);
  bytes.remove_prefix(whole * block_.size());
  if (!bytes.empty()) std::memcpy(block_.data(), bytes.data(), bytes.size());
  filled_ = bytes.size();
}

std::string Sha256::hex() {
  const std::uint64_t bits = bytes_ * 8;
  add(std::string_view("\x80", 1));
  while (filled_ != 56) add(std::string_view("\0", 1));
  std::string length;
  for (int shift = 56; shift >= 0; shift -= 8) length += static_cast<char>(bits >> shift & 0xff);
  add(length);
  std::string out;
  for (const std::uint32_t word : state_) out += fmt::format("{:08x}", word);
  return out;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

bool is_sha256(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<std::string> sha256_of_file(const std::string& path, const HashWatch& watch) {
  return sha256_of(TRY(File::open(path)), watch);
}

Result<std::string> sha256_of(const File& file, const HashWatch& watch) {
  Sha256 hash;
  TRY(each_piece(
      file, [&](std::string_view piece) { hash.add(piece); }, watch));
  return hash.hex();
}

}  // namespace ridge
