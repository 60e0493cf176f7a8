// SPDX-License-Identifier: Apache-2.0
// Keys of ridge bricks against ONNX Runtime's Python package, by bench/brick_equals.py: a sample of
// the pairs that the page docs/bricks.md has the rates of.
#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

TEST(BrickEqualsSlow, PairsHaveOneKeyIfAndOnlyIfTheirKernelsAreTheSame) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::filesystem::path python =
      analysis::testing::cache_folder() / "oracles/current/bin/python";
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "scripts/fetch_oracles.sh has not been able to run";
  const Workplace place;
  const Outcome o =
      place.run("'" + python.string() + "' '" + (source_tree() / "bench/brick_equals.py").string() +
                "' --ridge \"$RIDGE_PROGRAM\" --pairs 112 --seed 5 --show");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_NE(o.out.find("different pairs with one key: 0 of "), std::string::npos) << o.out;
}

}  // namespace
}  // namespace ridge::tests
