// Accuracy of a loaded model on data: every sample runs once, and its scores are compared with its
// label.
//
//   const Accuracy a = TRY(judge(runtime, session, data));
//   a.top1.value, a.top1.interval, a.predicted[3]
//
// The scores of a sample are its row of the first output with as many rows as samples in a batch.
// Errors: input class, RIDGE-WB-0114: no such output of float32, a label that is no class.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accuracy/figure.h"
#include "runtime/runtime.h"
#include "workbench/evaluation_data.h"

namespace ridge::workbench {

struct Accuracy {
  std::int64_t classes = 0;
  std::optional<accuracy::Figure> top1, top5;  ///< none without labels; top5 from six classes on
  std::vector<std::int64_t> predicted;         ///< class of each sample
  std::vector<std::uint8_t> correct;  ///< 1 for a sample that is right; empty without labels
};

Result<Accuracy> judge(runtime::Runtime& runtime, runtime::SessionId session,
                       const DataSamples& data);

}  // namespace ridge::workbench
