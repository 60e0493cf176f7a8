// Copies of `ridge advise --apply` against their models in ONNX Runtime's Python package, by
// bench/apply_is_equal.py, for a sample of its models.
#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

TEST(ApplySlow, CopiesOfLosslessFindingsAreEqualInPython) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::filesystem::path python =
      analysis::testing::cache_folder() / "oracles/current/bin/python";
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "scripts/fetch_oracles.sh has not been able to run";
  const Workplace place;
  const Outcome o = place.run("'" + python.string() + "' '" +
                              (source_tree() / "bench/apply_is_equal.py").string() +
                              "' --ridge ridge --count 9 --budget 1s");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_NE(o.err.find(": lossless; equal"), o.err.npos) << o.err;
}

}  // namespace
}  // namespace ridge::tests
