// SPDX-License-Identifier: Apache-2.0
#include "base/version_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ridge {
namespace {

TEST(VersionOrder, ComparesRunsOfDigitsAsNumbers) {
  const std::vector<std::string> sorted = {"lib.so.1.9",    "lib.so.1.9.1",  "lib.so.1.10",
                                           "lib.so.1.10.2", "lib.so.1.31.1", "lib.so.2.0"};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t k = 0; k < sorted.size(); ++k)
      EXPECT_EQ(version_before(sorted[i], sorted[k]), i < k) << sorted[i] << " " << sorted[k];
}

}  // namespace
}  // namespace ridge
