// SPDX-License-Identifier: Apache-2.0
// Views of a run database as other programs read them, compared with the documents of its runs and
// evaluations; and the queries of docs/data.md. By views_oracle.py.
#include <gtest/gtest.h>

#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

class ViewsSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
    if (!std::filesystem::exists(python_of_clients()))
      GTEST_SKIP() << "scripts/fetch_python_clients.sh has not been able to run";
  }
  Outcome oracle(const std::string& arguments) const {
    return place_.run("'" + python_of_clients().string() + "' '" +
                      (source_tree() / "tests/views_oracle.py").string() + "' " + arguments);
  }

  Workplace place_;
};

// Sweeps, a model with names that are empty, repeated, or hostile, imported documents, evaluations
// that failed, runs that were merged and deleted.
TEST_F(ViewsSlow, SayWhatTheDocumentsOfRunsAndEvaluationsSay) {
  const Outcome o = oracle("views");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "10 runs")) << o.out;
  EXPECT_TRUE(has(o.out, "4 evaluations")) << o.out;
}

TEST_F(ViewsSlow, AnswerTheQueriesOfThePage) {
  const Outcome o = oracle("page '" + (source_tree() / "docs/data.md").string() + "'");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "3 blocks of python, 2 of sh, 1 of sql")) << o.out;
}

}  // namespace
}  // namespace ridge::tests
