// SPDX-License-Identifier: Apache-2.0
// Recorded noise: durations of one operation, repeated on a shared machine.
//
//   std::optional<NoiseSeries> s = decode(bytes);
//   s->ns(0);
//
// File format: "RDGN", the version (1), the number of samples and the shortest duration in
// nanoseconds (three little-endian 32-bit numbers), then a bit stream. A sample is its excess over
// the shortest duration, in steps of 0.05 % of that duration. Differences of consecutive samples
// are mapped to 0, 1, 2... (0, -1, 1, -2...) and Rice coded (Rice and Plaunt 1971, IEEE Trans.
// Commun. 19:889) in blocks of 64: 4 bits of parameter k, then for each number its quotient by 2^k
// in unary (ones, then a zero) and the k remaining bits. 24 ones mark a number that follows
// verbatim in 32 bits. Bytes are filled from the highest bit. bench/record_noise.cc writes such
// files, tests/data/noise/ contains them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::stats::testing {

struct NoiseSeries {
  static constexpr double kStep = 0.0005;
  std::uint32_t min_ns = 1;
  std::vector<std::uint32_t> steps;

  double ns(std::size_t i) const { return min_ns * (1 + kStep * steps[i]); }
};

inline NoiseSeries quantized(std::span<const std::int64_t> durations_ns) {
  NoiseSeries s;
  const std::int64_t least = *std::min_element(durations_ns.begin(), durations_ns.end());
  s.min_ns = static_cast<std::uint32_t>(std::clamp<std::int64_t>(least, 1, UINT32_MAX));
  for (const std::int64_t ns : durations_ns) {
    const double above = (static_cast<double>(ns) / s.min_ns - 1) / NoiseSeries::kStep;
    s.steps.push_back(static_cast<std::uint32_t>(std::clamp(std::round(above), 0.0, 1e9)));
  }
  return s;
}

namespace noise_format {

inline constexpr std::size_t kBlock = 64, kHead = 16, kMaxSamples = 10'000'000;
inline constexpr std::uint32_t kVersion = 1, kEscape = 24;

inline std::uint32_t folded(std::uint32_t from, std::uint32_t to) {
  const auto d = static_cast<std::int32_t>(to - from);
  return (static_cast<std::uint32_t>(d) << 1) ^ static_cast<std::uint32_t>(d >> 31);
}
inline std::uint32_t unfolded(std::uint32_t from, std::uint32_t z) {
  return from + ((z >> 1) ^ (0u - (z & 1)));
}

class BitWriter {
 public:
  void put(std::uint32_t value, int bits) {
    for (int i = bits - 1; i >= 0; --i) {
      if (used_ % 8 == 0) bytes_ += '\0';
      if (((value >> i) & 1) != 0)
        bytes_.back() = static_cast<char>(bytes_.back() | (0x80 >> (used_ % 8)));
      ++used_;
    }
  }
  void rice(std::uint32_t z, int k) {
    const std::uint32_t quotient = std::min(z >> k, kEscape);
    for (std::uint32_t i = 0; i < quotient; ++i) put(1, 1);
    if (quotient == kEscape) return put(z, 32);
    put(0, 1);
    put(z & ((1u << k) - 1), k);
  }
  std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
  std::size_t used_ = 0;
};

/// Reads bits; past the end of the bytes it returns zeros and over() is true.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t get(int bits) {
    std::uint32_t value = 0;
    for (int i = 0; i < bits; ++i, ++at_) {
      const bool set = !over() && at_ / 8 < bytes_.size() &&
                       ((static_cast<unsigned char>(bytes_[at_ / 8]) << (at_ % 8)) & 0x80) != 0;
      value = value << 1 | (set ? 1u : 0u);
    }
    return value;
  }
  std::uint32_t rice(int k) {
    std::uint32_t quotient = 0;
    while (quotient < kEscape && get(1) != 0) ++quotient;
    return quotient == kEscape ? get(32) : quotient << k | get(k);
  }
  bool over() const { return at_ > bytes_.size() * 8; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

inline int best_parameter(std::span<const std::uint32_t> block) {
  int best = 0;
  std::uint64_t least = UINT64_MAX;
  for (int k = 0; k < 16; ++k) {
    std::uint64_t bits = 0;
    for (const std::uint32_t z : block)
      bits += (z >> k) < kEscape ? (z >> k) + 1 + static_cast<std::uint64_t>(k) : kEscape + 32;
    if (bits < least) least = bits, best = k;
  }
  return best;
}

}  // namespace noise_format

inline std::string encode(const NoiseSeries& s) {
  using namespace noise_format;
  std::string out = "RDGN";
  for (const std::uint32_t word : {kVersion, static_cast<std::uint32_t>(s.steps.size()), s.min_ns})
    for (int i = 0; i < 4; ++i) out += static_cast<char>(word >> (8 * i));
  std::vector<std::uint32_t> numbers;
  std::uint32_t before = 0;
  for (const std::uint32_t step : s.steps) {
    numbers.push_back(folded(before, step));
    before = step;
  }
  BitWriter bits;
  for (std::size_t at = 0; at < numbers.size(); at += kBlock) {
    const auto block =
        std::span(numbers).subspan(at, std::min<std::size_t>(kBlock, numbers.size() - at));
    const int k = best_parameter(block);
    bits.put(static_cast<std::uint32_t>(k), 4);
    for (const std::uint32_t z : block) bits.rice(z, k);
  }
  return out + std::move(bits).take();
}

/// Returns nullopt if `bytes` are not such a file or truncated.
inline std::optional<NoiseSeries> decode(std::string_view bytes) {
  using namespace noise_format;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  if (bytes.size() < kHead || !bytes.starts_with("RDGN") || word(4) != kVersion) return {};
  const std::size_t count = word(8);
  if (count > kMaxSamples || count > bytes.size() * 8) return {};
  NoiseSeries s{.min_ns = word(12), .steps = {}};
  BitReader bits(bytes.substr(kHead));
  int k = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kBlock == 0) k = static_cast<int>(bits.get(4));
    s.steps.push_back(unfolded(s.steps.empty() ? 0 : s.steps.back(), bits.rice(k)));
  }
  if (bits.over() || s.min_ns == 0) return {};
  return s;
}

}  // namespace ridge::stats::testing
