// SPDX-License-Identifier: Apache-2.0
// ridge eval of models that others published, against ONNX Runtime's Python package, by
// text_oracle.py.
#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

TEST(EvalModelsSlow, TextIsFoundAndReadAsInPython) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::filesystem::path cache = analysis::testing::cache_folder();
  const std::filesystem::path models = cache / "models/rapidocr-onnxruntime";
  if (!std::filesystem::exists(models))
    GTEST_SKIP() << "scripts/fetch_models.sh has not been able to run";
  const std::filesystem::path python = cache / "oracles/current/bin/python";
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "scripts/fetch_oracles.sh has not been able to run";
  const Workplace place;
  const Outcome o =
      place.run("'" + python.string() + "' '" + (source_tree() / "tests/text_oracle.py").string() +
                "' '" + models.string() + "'");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(lines_of(o.out).size(), 2U) << o.out;
}

}  // namespace
}  // namespace ridge::tests
