// SPDX-License-Identifier: Apache-2.0
#include "machine/reference.h"

#include <gtest/gtest.h>

namespace ridge::machine {
namespace {

/// Clock whose consecutive pairs of readings are these durations apart.
class Script final : public Clock {
 public:
  explicit Script(std::vector<std::int64_t> passes_ns) : passes_(std::move(passes_ns)) {}
  Nanos now() const override {
    if (asked_++ % 2 == 1) at_ += passes_[asked_ / 2 - 1];
    return Nanos{at_};
  }

 private:
  std::vector<std::int64_t> passes_;
  mutable std::size_t asked_ = 0;
  mutable std::int64_t at_ = 0;
};

TEST(ReferenceKernels, ATimeIsTheMedianOfThreePasses) {
  const Script clock({900, 5000, 1000, 70, 9000, 80});
  const std::vector<ReferenceTime> times = ReferenceKernels(clock).read();
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].kernel, "multiply-add");
  EXPECT_EQ(times[0].ns, 1000);
  EXPECT_EQ(times[1].kernel, "read");
  EXPECT_EQ(times[1].ns, 80);
}

TEST(ReferenceKernels, WorkEveryTime) {
  ReferenceKernels reference;
  for (int reading = 0; reading < 2; ++reading)
    for (const ReferenceTime& t : reference.read()) EXPECT_GT(t.ns, 0) << t.kernel;
}

}  // namespace
}  // namespace ridge::machine
