// A cache of so many bytes that holds tensors: fully associative, the least recently used leave
// first, the last of them in part.
//
//   TensorCache cache(32 << 20, tensors);
//   cache.produce(t, bytes);          // written: in front, as much of it as fits
//   cache.resident(t);                // what of it is still there
//   cache.read(t, bytes);             // in front again, whole
//
// What is resident of a tensor is what the reuse distance leaves of it: the capacity less the bytes
// of the distinct tensors touched since, between 0 and its size (Mattson et al., Evaluation
// techniques for storage hierarchies, IBM Systems Journal 9(2), 1970, taken per tensor). A strict
// cache that walks a tensor from its start would find nothing of one that is there in part; caches
// that hash their sets and kernels that walk in blocks do better, this is what they can find.
// Cost: O(1) amortised per call; 24 bytes per tensor. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::analysis {

class TensorCache {
 public:
  using Tensor = std::uint32_t;
  /// Taken as boundless.
  static constexpr std::int64_t kBoundless = std::int64_t{1} << 61;

  TensorCache(std::int64_t capacity, std::size_t tensors);

  std::int64_t capacity() const { return capacity_; }
  std::int64_t resident(Tensor t) const { return slots_[t].resident; }
  /// The least that was ever resident since the tensor was produced: the rest has been to memory.
  std::int64_t least(Tensor t) const { return slots_[t].least; }

  /// A new tensor, written from start to end.
  void produce(Tensor t, std::int64_t bytes);
  /// A tensor is touched; `bytes` of it are there afterwards, as far as they fit.
  void read(Tensor t, std::int64_t bytes);
  /// Its memory is used for something else now.
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
