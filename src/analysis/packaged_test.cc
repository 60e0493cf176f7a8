// SPDX-License-Identifier: Apache-2.0
// Checks that every node of the packaged models is known and every total complete.
#include <gtest/gtest.h>

#include "analysis/testing/packaged.h"

namespace ridge::analysis {
namespace {

TEST(PackagedModels, HaveNoUnknownNode) {
  const auto models = testing::packaged_models();
  if (models.empty()) GTEST_SKIP() << "scripts/fetch_models.sh has not been able to run";
  for (const testing::Packaged& p : models) {
    SCOPED_TRACE(p.name);
    const Result<Resolved> r = testing::resolve_packaged(p);
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->totals().unknown, 0);
    EXPECT_TRUE(r->totals().incomplete.none());
    if (p.macs) {
      EXPECT_EQ(r->totals().macs.value(), *p.macs);
    }
  }
}

}  // namespace
}  // namespace ridge::analysis
