// SPDX-License-Identifier: Apache-2.0
// Lines about the difference between outputs.
#include "export/evaluation/divergence_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace ridge::exports {
namespace {

using accuracy::Divergence;
using accuracy::Outputs;

/// Two samples of probabilities, of which the second run may give a class none at all.
accuracy::OutputDivergence divergence(float least) {
  Divergence d(Outputs::kProbabilities);
  EXPECT_TRUE(d.add(std::vector<float>{0.5F, 0.5F}, std::vector<float>{0.5F, 0.5F}).ok());
  EXPECT_TRUE(d.add(std::vector<float>{0.75F, 0.25F}, std::vector<float>{1 - least, least}).ok());
  return accuracy::divergence_of_output("probs", Outputs::kProbabilities, &d);
}

TEST(DivergenceText, HasTheMeanDivergence) {
  const std::vector<std::string> names = {"a.png", "b.png"};
  // The mean of 0 and of 0.75 ln(0.75 / 0.5) + 0.25 ln(0.25 / 0.5) = 0.13081.
  const std::string text = divergence_text(divergence(0.5F), "base", names);
  EXPECT_TRUE(
      text.starts_with("output 'probs' against base: largest difference 0.25 (sample b.png, "
                       "value 0), same class 100.00 %"))
      << text;
  EXPECT_NE(text.find(", mean KL 0.0654, JS "), std::string::npos) << text;
}

TEST(DivergenceText, CountsTheSamplesOfAnInfiniteOne) {
  const std::string text = divergence_text(divergence(0), "base", {});
  EXPECT_NE(text.find(", mean KL infinite (in 1 of 2 samples), JS "), std::string::npos) << text;
}

}  // namespace
}  // namespace ridge::exports
