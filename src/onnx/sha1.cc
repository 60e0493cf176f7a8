// SPDX-License-Identifier: Apache-2.0
#include "onnx/sha1.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ridge::onnx {

void Sha1::compress(const std::byte* block) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 64; ++i)
    w[i / 4] = w[i / 4] << 8 | std::to_integer<std::uint32_t>(block[i]);
  for (std::size_t i = 16; i < w.size(); ++i)
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = state_;
  for (std::size_t i = 0; i < w.size(); ++i) {
    std::uint32_t f = b ^ c ^ d, k = i < 40 ? 0x6ed9eba1 : 0xca62c1d6;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5a827999;
    } else if (i >= 40 && i < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8f1bbcdc;
    }
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const std::array<std::uint32_t, 5> add = {a, b, c, d, e};
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += add[i];
}

void Sha1::add(std::span<const std::byte> bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (filled_ == 0 && bytes.size() >= block_.size()) {
      compress(bytes.data());
      bytes = bytes.subspan(block_.size());
      continue;
    }
    const std::size_t part = std::min(bytes.size(), block_.size() - filled_);
    std::memcpy(block_.data() + filled_, bytes.data(), part);
    bytes = bytes.subspan(part);
    filled_ += part;
    if (filled_ < block_.size()) continue;
    compress(block_.data());
    filled_ = 0;
  }
}

std::string Sha1::hex() {
  const std::uint64_t bits = bytes_ * 8;
  constexpr std::byte kEnd{0x80}, kZero{0};
  add(std::span(&kEnd, 1));
  while (filled_ != 56) add(std::span(&kZero, 1));
  std::array<std::byte, 8> length{};
  for (std::size_t i = 0; i < length.size(); ++i)
    length[i] = static_cast<std::byte>(bits >> (56 - 8 * i) & 0xff);
  add(length);
  std::string out;
  for (const std::uint32_t word : state_) out += fmt::format("{:08x}", word);
  return out;
}

}  // namespace ridge::onnx
