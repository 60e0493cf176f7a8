// Reader of documents that evaluation/record/document.h wrote: what tables show of them, and the
// JSON of each point.
//
//   const Evaluation evaluation = TRY(read_evaluation(document));
//   evaluation.points[0].figures.completed.per_s
//   evaluation.points[0].stored                              // written again as it is
//
// Documents have no queries, and of the scenario what the table needs: kind, rate, workers,
// samples, seed. Errors: input class, RIDGE-WB-0166, with the path of the value. Safe on hostile
// text. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "evaluation/record/evaluation.h"

namespace ridge::evaluation {

Result<Evaluation> read_evaluation(std::string_view document);

}  // namespace ridge::evaluation
