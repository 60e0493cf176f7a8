// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

namespace ridge::kernels {
namespace {

constexpr std::int64_t kElements = 5 * kStreamBlock;
constexpr std::int64_t kGuard = 16;  // number of floats before and after `a` that must not change
constexpr float kUntouched = -77.0f;

struct alignas(64) Arrays {
  float a[kGuard + kElements + kGuard];
  float b[kElements];
  float c[kElements];

  Arrays() {
    for (float& v : a) v = kUntouched;
    for (std::int64_t i = 0; i < kElements; ++i) {
      b[i] = 0.37f * static_cast<float>(i) - 11.0f;
      c[i] = 1.0f / static_cast<float>(i + 3);
    }
  }
  StreamArrays view() { return {a + kGuard, b, c, 1.7f, kElements}; }
};

float expected(const StreamKernel& k, const Arrays& x, std::int64_t i) {
  const float scalar = 1.7f;
  if (k.kind == StreamKind::kWrite) return scalar;
  if (k.kind == StreamKind::kCopy) return x.b[i];
  if (k.kind == StreamKind::kRead) return kUntouched;
  if (k.vector_bits >= 256) return std::fma(scalar, x.c[i], x.b[i]);
  volatile float product = scalar * x.c[i];
  return x.b[i] + product;
}

std::uint64_t xor_of_words(const Arrays& x) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < kElements; i += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, x.b + i, sizeof(word));
    sum ^= word;
  }
  return sum;
}

TEST(StreamKernels, MoveExactlyTheirArrays) {
  const Features features = detect_features(native_cpuid());
  for (const StreamKind kind : kStreamKinds) {
    const auto kernels = usable_stream_kernels(features, kind);
    ASSERT_FALSE(kernels.empty());
    for (const StreamKernel* k : kernels) {
      const auto x = std::make_unique<Arrays>();
      const std::uint64_t sum = k->run(x->view(), 3);
      EXPECT_EQ(sum, kind == StreamKind::kRead ? xor_of_words(*x) : 0) << k->name;
      for (std::int64_t i = 0; i < kElements; ++i) {
        ASSERT_EQ(x->a[kGuard + i], expected(*k, *x, i)) << k->name << " at " << i;
      }
      for (std::int64_t i = 0; i < kGuard; ++i) {
        EXPECT_EQ(x->a[i], kUntouched) << k->name;
        EXPECT_EQ(x->a[kGuard + kElements + i], kUntouched) << k->name;
      }
    }
  }
}

TEST(StreamKernels, ReadEveryPass) {
  for (const StreamKernel* k :
       usable_stream_kernels(detect_features(native_cpuid()), StreamKind::kRead)) {
    const auto x = std::make_unique<Arrays>();
    EXPECT_EQ(k->run(x->view(), 1), xor_of_words(*x)) << k->name;
    EXPECT_EQ(k->run(x->view(), 2), 0u) << k->name;
  }
}

TEST(StreamKernels, DoNothingInNoPasses) {
  for (const StreamKernel& k : stream_kernels()) {
    if (k.needs != nullptr && !(detect_features(native_cpuid()).*k.needs)) continue;
    const auto x = std::make_unique<Arrays>();
    EXPECT_EQ(k.run(x->view(), 0), 0u) << k.name;
    EXPECT_EQ(x->a[kGuard], kUntouched) << k.name;
  }
}

TEST(StreamKinds, HaveTheNamesOfTheReport) {
  EXPECT_EQ(name(StreamKind::kRead), "read");
  EXPECT_EQ(name(StreamKind::kTriad), "triad");
  EXPECT_EQ(arrays_of(StreamKind::kWrite), 1);
  EXPECT_EQ(arrays_of(StreamKind::kCopy), 2);
  EXPECT_EQ(arrays_of(StreamKind::kTriad), 3);
}

}  // namespace
}  // namespace ridge::kernels
