// SPDX-License-Identifier: Apache-2.0
// Model of a fully associative cache of tensors with a given capacity. It evicts the least recently
// used tensors first, the last one partially.
//
//   TensorCache cache(32 << 20, tensors);
//   cache.produce(t, bytes);          // written: most recently used, as much as fits
//   cache.resident(t);                // bytes of it that are still cached
//   cache.read(t, bytes);             // most recently used again, entirely cached
//
// The resident part of a tensor follows from its reuse distance: the capacity minus the bytes of
// the distinct tensors accessed since, between 0 and its size (Mattson et al., Evaluation
// techniques for storage hierarchies, IBM Systems Journal 9(2), 1970, applied per tensor). A strict
// LRU cache would find nothing of a partially evicted tensor that is walked from its start; caches
// with hashed sets and blocked kernels do better, and this model is their limit.
// Cost: O(1) amortized per call; 24 bytes per tensor. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::analysis {

class TensorCache {
 public:
  using Tensor = std::uint32_t;
  /// Capacity that is treated as infinite.
  static constexpr std::int64_t kBoundless = std::int64_t{1} << 61;

  TensorCache(std::int64_t capacity, std::size_t tensors);

  std::int64_t capacity() const { return capacity_; }
  std::int64_t resident(Tensor t) const { return slots_[t].resident; }
  /// Minimum of resident() since the tensor was produced; the rest has been written to memory.
  std::int64_t least(Tensor t) const { return slots_[t].least; }

  /// Writes a new tensor from start to end.
  void produce(Tensor t, std::int64_t bytes);
  /// Accesses a tensor; `bytes` of it are resident afterwards, as far as they fit.
  void read(Tensor t, std::int64_t bytes);
  /// Invalidates the tensor without write-back: its memory is reused.
  void drop(Tensor t);

 private:
  static constexpr Tensor kNone = 0xffffffff;
  struct Slot {
    std::int64_t resident = 0, least = 0;
    Tensor newer = kNone, older = kNone;
  };

  void unlink(Tensor t);
  void evict();

  std::int64_t capacity_, used_ = 0;
  Tensor newest_ = kNone, oldest_ = kNone;
  std::vector<Slot> slots_;
};

}  // namespace ridge::analysis
