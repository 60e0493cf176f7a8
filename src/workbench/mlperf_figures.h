// What LoadGen's rules say of an evaluation, for readers and documents. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "scenario/loadgen_logs.h"
#include "workbench/mlperf_audit.h"

namespace ridge::workbench {

struct MlperfFigures {
  std::string folder;  ///< folder of the logs
  bool load = true;    ///< false: accuracy mode, which has no verdict
  bool valid = false;
  std::vector<std::string> reasons;  ///< for not being valid
  std::optional<AuditVerdict> audit;
  std::vector<std::string> notes;  ///< sentences: keys of the configuration that nobody knows

  /// Sentences for readers.
  std::vector<std::string> sentences() const;
};

/// Why LoadGen's rules are not met; empty if they are.
std::vector<std::string> reasons_of(const scenario::LoadgenResult& result,
                                    const scenario::LoadgenTest& test);

/// Writes the key "mlperf", null without such a test.
void write_mlperf(JsonWriter& json, const std::optional<MlperfFigures>& figures);

}  // namespace ridge::workbench
