// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/prefetcher.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::accelerator {

// Example: 8 words, 2 per cycle, order 0..15. The window is the first 4 addresses, 0..3 (sets of
// one address). A read of 4 fetches one half: the window becomes 4..7, words() grows by 4, and the
// half is ready after 4 / 2 + 1 = 3 more cycles.
Prefetcher::Prefetcher(std::int64_t words, std::int64_t bandwidth, std::vector<std::int32_t> order,
                       std::int64_t addresses)
    : addresses_(std::move(order)), window_(static_cast<std::size_t>(addresses), 0) {
  const std::int64_t active_words = ceil_div(words, 2), next_words = words - active_words;
  const std::int64_t lines = ceil_div(std::ssize(addresses_), bandwidth);
  words_ = std::min(ceil_div(active_words, bandwidth), lines) * bandwidth;
  half_cycles_ = ceil_div(next_words, bandwidth);
  half_words_ = half_cycles_ * bandwidth;

  std::erase(addresses_, -1);
  per_set_ = ceil_div(words, 100);
  sets_ = std::ssize(addresses_) / per_set_ + 1;  // the last set may be empty
  active_ = std::min(ceil_div(active_words, per_set_), sets_);
  fetched_ = std::min(ceil_div(next_words, per_set_), sets_ - active_);
  for (std::int64_t s = 0; s < active_; ++s) change_set(s, 1);
}

void Prefetcher::change_set(std::int64_t set, std::int32_t change) {
  const std::int64_t begin = set % sets_ * per_set_;
  const std::int64_t end = std::min(begin + per_set_, std::ssize(addresses_));
  for (std::int64_t i = begin; i < end; ++i)
    window_[static_cast<std::size_t>(addresses_[static_cast<std::size_t>(i)])] += change;
}

void Prefetcher::fetch_half() {
  for (std::int64_t s = 0; s < fetched_; ++s) {
    change_set(first_ + s, -1);
    change_set(first_ + active_ + s, 1);
  }
  first_ = (first_ + fetched_) % sets_;
  words_ += half_words_;
  ready_ += half_cycles_ + 1;  // the port's own latency
}

}  // namespace ridge::accelerator
