// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/tensor_cache.h"

#include <algorithm>

namespace ridge::analysis {

TensorCache::TensorCache(std::int64_t capacity, std::size_t tensors)
    : capacity_(std::clamp<std::int64_t>(capacity, 0, kBoundless)), slots_(tensors) {}

void TensorCache::produce(Tensor t, std::int64_t bytes) {
  read(t, bytes);
  slots_[t].least = slots_[t].resident;
}

void TensorCache::read(Tensor t, std::int64_t bytes) {
  drop(t);
  Slot& slot = slots_[t];
  slot.resident = std::min(bytes, capacity_);
  if (slot.resident == 0) return;
  used_ += slot.resident;
  slot.older = newest_;
  (newest_ == kNone ? oldest_ : slots_[newest_].newer) = t;
  newest_ = t;
  evict();
}

void TensorCache::drop(Tensor t) {
  if (slots_[t].resident == 0) return;
  used_ -= slots_[t].resident;
  slots_[t].resident = 0;
  unlink(t);
}

void TensorCache::unlink(Tensor t) {
  Slot& slot = slots_[t];
  (slot.newer == kNone ? newest_ : slots_[slot.newer].older) = slot.older;
  (slot.older == kNone ? oldest_ : slots_[slot.older].newer) = slot.newer;
  slot.newer = slot.older = kNone;
}

/// Evicts from the oldest tensor on until the capacity suffices. The newest alone never exceeds the
/// capacity, so it is never cut.
///
/// Example: capacity 100. produce(A, 60), produce(B, 60): 120 bytes, so 20 of A are evicted;
/// resident(A) = least(A) = 40. read(A, 60): A is newest with 60, and 20 of B are evicted; least(A)
/// stays 40.
void TensorCache::evict() {
  while (used_ > capacity_) {
    const Tensor t = oldest_;
    Slot& slot = slots_[t];
    const std::int64_t cut = std::min(slot.resident, used_ - capacity_);
    used_ -= cut;
    slot.resident -= cut;
    slot.least = std::min(slot.least, slot.resident);
    if (slot.resident == 0) unlink(t);
  }
}

}  // namespace ridge::analysis
