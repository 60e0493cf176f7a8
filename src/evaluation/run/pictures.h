// SPDX-License-Identifier: Apache-2.0
// Small pictures of the samples that the page of an evaluation lists, made from what the model was
// given. Samples that are no pictures (pipeline/thumbnail.h) have none.
#pragma once

#include "evaluation/data/data.h"
#include "evaluation/record/evaluation.h"

namespace ridge::evaluation {

/// Fills EvaluatedData::pictures. `samples`: the evaluation's data. Cost: at most 2 x
/// accuracy::kMaxListed passes over a sample.
void add_pictures(const DataSamples& samples, Evaluation& evaluation);

}  // namespace ridge::evaluation
