// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/idle_histogram.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace ridge::sharing {
namespace {

constexpr std::uint16_t kFullBin = std::numeric_limits<std::uint16_t>::max();

Nanos scaled(Nanos time, double factor) {
  return {static_cast<std::int64_t>(static_cast<double>(time.count) * factor)};
}

}  // namespace

void IdleHistogram::add(Nanos idle, const HistogramSpec& spec) {
  if (counts_.empty()) counts_.resize(spec.bins);
  const auto bin = static_cast<std::uint64_t>(std::max<std::int64_t>(idle.count, 0)) /
                   static_cast<std::uint64_t>(spec.bin.count);
  if (bin >= counts_.size()) {
    ++beyond_;
    return;
  }
  std::uint16_t& count = counts_[bin];
  squares_ += 2.0 * count + 1;  // (count + 1)^2 - count^2
  ++within_;
  if (++count == kFullBin) halve();
}

void IdleHistogram::halve() {
  within_ = 0;
  beyond_ /= 2;
  squares_ = 0;
  for (std::uint16_t& count : counts_) {
    count /= 2;
    within_ += count;
    squares_ += static_cast<double>(count) * count;
  }
}

bool IdleHistogram::representative(const HistogramSpec& spec) const {
  if (within_ == 0 || beyond_ > within_) return false;
  // With mean m = n / bins and variance v = squares / bins - m^2: v >= (least x m)^2.
  const auto bins = static_cast<double>(counts_.size()), n = static_cast<double>(within_);
  return squares_ * bins >= (1 + spec.least_variation * spec.least_variation) * n * n;
}

KeepWindow IdleHistogram::window(const HistogramSpec& spec) const {
  if (!representative(spec)) return {.begin = {0}, .end = spec.bin * spec.bins};
  const auto total = static_cast<double>(within_);
  std::uint64_t seen = 0;
  std::int64_t head = -1, bin = 0;
  for (; bin < std::ssize(counts_); ++bin) {
    seen += counts_[static_cast<std::size_t>(bin)];
    const auto share = static_cast<double>(seen);
    if (head < 0 && share > spec.head * total) head = bin;
    if (share >= spec.tail * total) break;
  }
  const Nanos begin = scaled(spec.bin * std::max<std::int64_t>(head, 0), 1 - spec.margin);
  return {.begin = begin, .end = scaled(spec.bin * (bin + 1), 1 + spec.margin)};
}

}  // namespace ridge::sharing
