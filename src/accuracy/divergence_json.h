// Differences between outputs as JSON, the same in the documents of evaluations and of their
// comparisons. Samples are positions.
#pragma once

#include <vector>

#include "accuracy/divergence.h"
#include "base/json_writer.h"

namespace ridge::accuracy {

/// An array; the caller writes its key.
void write_divergence(JsonWriter& json, const std::vector<OutputDivergence>& divergence);

}  // namespace ridge::accuracy
