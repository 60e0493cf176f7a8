// SPDX-License-Identifier: Apache-2.0
// Where activations lie: through the C interface, which shows the addresses of outputs.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "runtime/testing/abs_session.h"

namespace ridge::runtime {
namespace {

/// Outputs of eight runs of a session, and their addresses.
struct Returned {
  std::set<const void*> addresses;
  std::set<std::vector<float>> values;
};

Returned returned_with(std::uint64_t arena_reach) {
  Returned out;
  AbsSession abs(1, arena_reach);
  for (int run = 0; run < 8; ++run) {
    EXPECT_EQ(abs.api.run(abs.session, &abs.error), RIDGE_OK) << abs.error.message;
    const float* values = abs.y();
    out.addresses.insert(values);
    out.values.insert({values, values + 4});
  }
  return out;
}

TEST(OrtArena, ActivationsLieElsewhereInEveryRunWhereAsked) {
  const Returned still = returned_with(0), moved = returned_with(1 << 20);
  EXPECT_LE(still.addresses.size(), 2U);
  EXPECT_GE(moved.addresses.size(), 6U);
  EXPECT_EQ(moved.values, (std::set<std::vector<float>>{{1, 2, 3, 4}}));
  EXPECT_EQ(moved.values, still.values);
  // The reach is a limit: two blocks lie no further apart, but for what the arena adds.
  const auto* first = static_cast<const std::byte*>(*moved.addresses.begin());
  const auto* last = static_cast<const std::byte*>(*moved.addresses.rbegin());
  EXPECT_LE(last - first, (1 << 20) + 4096);
}

}  // namespace
}  // namespace ridge::runtime
