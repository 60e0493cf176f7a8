// SPDX-License-Identifier: Apache-2.0
#include "ipc/process_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <limits>

#include "base/testing/sanitized.h"
#include "ipc/descriptor.h"

namespace ridge::ipc {
namespace {

constexpr std::size_t kSize = std::size_t{32} << 20;
constexpr std::int64_t kSlack = std::int64_t{8} << 20;

/// Growth of a figure, in bytes.
double growth(Bytes from, Bytes to) { return static_cast<double>(to.count - from.count); }

TEST(ProcessMemory, CountsPagesByWhoHasThem) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  const ProcessMemory before = memory_of(::getpid()).value();
  SharedMemory shared = SharedMemory::make(kSize).value();
  std::memset(shared.bytes().data(), 1, kSize);
  const ProcessMemory with = memory_of(::getpid()).value();
  const auto size = static_cast<double>(kSize);
  EXPECT_NEAR(growth(before.proportional, with.proportional), size, kSlack);
  EXPECT_NEAR(growth(before.anonymous, with.anonymous), 0, kSlack);
  // Mapped twice, it is nobody's own, and counts once.
  const Mapping again =
      Mapping::map(shared.descriptor.get(), kSize, Mapping::Access::kReadWrite).value();
  std::memset(again.bytes().data(), 2, kSize);
  const ProcessMemory twice = memory_of(::getpid()).value();
  EXPECT_NEAR(growth(before.proportional, twice.proportional), size, kSlack);
  EXPECT_NEAR(growth(before.own, twice.own), 0, kSlack);
}

TEST(ProcessMemory, OfNoProcessIsNothing) {
  EXPECT_FALSE(memory_of(std::numeric_limits<pid_t>::max()).has_value());
}

}  // namespace
}  // namespace ridge::ipc
