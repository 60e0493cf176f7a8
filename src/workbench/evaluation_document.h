// JSON of an evaluation: schema ridge.evaluation/1 (data/schema/evaluation.json).
#pragma once

#include "base/sink.h"
#include "workbench/evaluation.h"

namespace ridge::workbench {

void write_evaluation(const Evaluation& evaluation, Sink& sink);

}  // namespace ridge::workbench
