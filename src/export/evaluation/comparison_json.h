// A comparison of evaluations as ridge.evaluation_comparison/1
// (data/schema/ridge.evaluation_comparison.1.json). Within a version, keys are only added.
#pragma once

#include "base/sink.h"
#include "compare/evaluation_comparison.h"

namespace ridge::exports {

void write_evaluation_comparison_json(const compare::EvaluationComparison& comparison, Sink& sink);

}  // namespace ridge::exports
