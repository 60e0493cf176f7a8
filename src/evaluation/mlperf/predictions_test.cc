// SPDX-License-Identifier: Apache-2.0
// Oracles: MLCommons' accuracy-imagenet.py and accuracy-coco.py, which read the values written out
// below by np.frombuffer(bytes.fromhex(data), np.float32).
#include "evaluation/mlperf/predictions.h"

#include <gtest/gtest.h>

#include "pipeline/output_step_text.h"

namespace ridge::evaluation {
namespace {

EvaluationData data_of(std::string_view post, Metric metric = Metric::kTopK) {
  return {.source = "images",
          .labels = "",
          .metric = metric,
          .post = pipeline::parse_output_steps(post).value()};
}

std::optional<std::vector<float>> predicted(SampleOutputs outputs, const EvaluationData& data) {
  return prediction_of(std::move(outputs), 17, data).value();
}

TEST(MlperfPredictions, AClassifiersIsTheClassAlone) {
  const SampleOutputs scores = {{"y", {4}, {0.1F, 0.2F, 0.9F, 0.3F}}};
  EXPECT_EQ(predicted(scores, data_of("")), std::vector<float>{2});
  EXPECT_EQ(predicted(scores, data_of("softmax top(3)")), std::vector<float>{2});
  EXPECT_EQ(predicted(scores, data_of("drop_first(1) top(1)")), std::vector<float>{1});
}

TEST(MlperfPredictions, ADetectorsIsARowOfSevenForEachBox) {
  const SampleOutputs outputs = {{"boxes", {2, 4}, {0.1F, 0.2F, 0.3F, 0.4F, 0, 0, 1, 1}},
                                 {"scores", {2}, {0.5F, 0.9F}},
                                 {"classes", {2}, {3, 7}}};
  const EvaluationData shares =
      data_of("boxes(corners_y_first, shares, score=0.1, classes=2)", Metric::kCoco);
  EXPECT_EQ(predicted(outputs, shares), (std::vector<float>{17, 0, 0, 1, 1, 0.9F, 7,  //
                                                            17, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 3}));
  // Pixels of the model's input have no place in the script's form.
  EXPECT_EQ(predicted(outputs, data_of("boxes(corners, score=0.1, classes=2)", Metric::kCoco)),
            std::nullopt);
}

TEST(MlperfPredictions, WithoutDataOutputsAreLogged) {
  EXPECT_EQ(predicted({{"y", {2}, {1, 2}}}, EvaluationData()), std::nullopt);
  EXPECT_EQ(predicted({{"y", {1, 2, 1}, {1, 2}}}, data_of("masks(chw)", Metric::kMeanIou)),
            std::nullopt);
}

}  // namespace
}  // namespace ridge::evaluation
