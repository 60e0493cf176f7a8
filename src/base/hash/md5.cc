// SPDX-License-Identifier: Apache-2.0
#include "base/hash/md5.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/file.h"
#include "base/whole_file.h"

namespace ridge {
namespace {

constexpr int kRounds = 64;

/// Rotations of the four groups of sixteen steps (RFC 1321, section 3.4).
constexpr int kRotations[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/// T[i] of section 3.4: the integer part of 2^32 |sin(i)|, i from 1 on.
std::array<std::uint32_t, kRounds> sines() {
  std::array<std::uint32_t, kRounds> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint32_t>(
        std::floor(4294967296.0 * std::abs(std::sin(static_cast<double>(i + 1)))));
  return out;
}

}  // namespace

void Md5::compress(const unsigned char* block) {
  static const std::array<std::uint32_t, kRounds> kSines = sines();
  std::array<std::uint32_t, 16> words{};
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t b = 0; b < 4; ++b)
      words[i] |= static_cast<std::uint32_t>(block[4 * i + b]) << (8 * b);
  auto [a, b, c, d] = state_;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const std::size_t group = i / 16;
    const std::uint32_t mixed = group == 0   ? (b & c) | (~b & d)
                                : group == 1 ? (d & b) | (~d & c)
                                : group == 2 ? b ^ c ^ d
                                             : c ^ (b | ~d);
    constexpr std::size_t kFactor[4] = {1, 5, 3, 7}, kOffset[4] = {0, 1, 5, 0};
    const std::size_t word = (kFactor[group] * i + kOffset[group]) % 16;
    const std::uint32_t sum = a + mixed + kSines[i] + words[word];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kRotations[group][i % 4]);
  }
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
}

void Md5::add(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t part = std::min(bytes.size(), block_.size() - filled_);
    std::memcpy(block_.data() + filled_, bytes.data(), part);
    filled_ += part;
    bytes.remove_prefix(part);
    if (filled_ < block_.size()) return;
    compress(block_.data());
    filled_ = 0;
  }
}

std::string Md5::hex() {
  const std::uint64_t bits = bytes_ * 8;
  add(std::string_view("\x80", 1));
  while (filled_ != 56) add(std::string_view("\0", 1));
  std::string length;
  for (int shift = 0; shift < 64; shift += 8) length += static_cast<char>(bits >> shift & 0xff);
  add(length);
  std::string out;
  for (const std::uint32_t word : state_)
    for (int shift = 0; shift < 32; shift += 8) out += fmt::format("{:02x}", word >> shift & 0xff);
  return out;
}

std::string md5_of(std::string_view bytes) {
  Md5 hash;
  hash.add(bytes);
  return hash.hex();
}

Result<std::string> md5_of_file(const std::string& path) {
  const File file = TRY(File::open(path));
  Md5 hash;
  TRY(each_piece(file, [&](std::string_view piece) { hash.add(piece); }));
  return hash.hex();
}

}  // namespace ridge
