// Small pictures of the samples that the page of an evaluation lists, made from what the model was
// given. Samples that are no pictures (pipeline/thumbnail.h) have none.
#pragma once

#include "workbench/evaluated.h"
#include "workbench/evaluation_data.h"

namespace ridge::workbench {

/// Fills EvaluatedData::pictures. `samples` are those of the evaluation's data. Cost: at most 2 x
/// report::kMostListed passes over a sample.
void add_pictures(const DataSamples& samples, Evaluation& evaluation);

}  // namespace ridge::workbench
