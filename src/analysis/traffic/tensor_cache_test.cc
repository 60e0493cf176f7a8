// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/tensor_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ridge::analysis {
namespace {

TEST(TensorCache, HoldsWhatFitsAndLosesTheOldestInPart) {
  TensorCache cache(100, 3);
  cache.produce(0, 60);
  cache.produce(1, 70);
  EXPECT_EQ(cache.resident(0), 30);
  EXPECT_EQ(cache.resident(1), 70);
  cache.read(0, 60);
  EXPECT_EQ(cache.resident(0), 60);
  EXPECT_EQ(cache.resident(1), 40);
  EXPECT_EQ(cache.least(0), 30);
}

TEST(TensorCache, ATensorLargerThanTheCacheLeavesNothingElse) {
  TensorCache cache(100, 2);
  cache.produce(0, 10);
  cache.produce(1, 1000);
  EXPECT_EQ(cache.resident(0), 0);
  EXPECT_EQ(cache.resident(1), 100);
  EXPECT_EQ(cache.least(1), 100);
}

TEST(TensorCache, WhatIsDroppedMakesRoom) {
  TensorCache cache(100, 3);
  cache.produce(0, 60);
  cache.produce(1, 40);
  cache.drop(1);
  cache.produce(2, 40);
  EXPECT_EQ(cache.resident(0), 60);
}

/// Definition evaluated from scratch at every step: the resident part of a tensor is the minimum,
/// since it was last accessed, of the capacity minus the tensors accessed after it.
class Distances {
 public:
  Distances(std::int64_t capacity, std::size_t tensors)
      : capacity_(capacity), size_(tensors), resident_(tensors) {}

  void touch(std::size_t t, std::int64_t size) {
    std::erase(order_, t);
    order_.insert(order_.begin(), t);
    size_[t] = size;
    resident_[t] = capacity_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::int64_t room = capacity_;
      for (std::size_t j = 0; j < i; ++j) room -= size_[order_[j]];
      resident_[order_[i]] =
          std::min({resident_[order_[i]], std::max<std::int64_t>(0, room), size_[order_[i]]});
    }
  }
  void drop(std::size_t t) {
    std::erase(order_, t);
    resident_[t] = 0;
  }
  std::int64_t resident(std::size_t t) const { return resident_[t]; }

 private:
  std::int64_t capacity_;
  std::vector<std::size_t> order_;  // newest first
  std::vector<std::int64_t> size_, resident_;
};

TEST(TensorCache, HoldsWhatTheReuseDistanceLeaves) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    constexpr std::size_t kTensors = 8;
    const auto capacity = static_cast<std::int64_t>(random() % 300);
    std::vector<std::int64_t> size(kTensors);
    for (auto& s : size) s = static_cast<std::int64_t>(random() % 120);
    TensorCache cache(capacity, kTensors);
    Distances oracle(capacity, kTensors);
    for (int step = 0; step < 60; ++step) {
      const std::uint32_t t = random() % kTensors;
      if (random() % 6 == 0) {
        cache.drop(t);
        oracle.drop(t);
      } else {
        cache.read(t, size[t]);
        oracle.touch(t, size[t]);
      }
      for (std::uint32_t u = 0; u < kTensors; ++u)
        ASSERT_EQ(cache.resident(u), oracle.resident(u)) << "round " << round << " step " << step;
    }
  }
}

}  // namespace
}  // namespace ridge::analysis
