// SPDX-License-Identifier: Apache-2.0
// Checks of the findings that a request asks for: each is applied, and measured in turns with the
// model; all edits together too for "all".
//
//   CheckedFindings checked = TRY(check_findings(subject, measured, changes, std::move(priced)));
//   checked.findings.at(0).check->gain_ns
//
// The store keeps the checks; findings get the confidence that its checks so far allow. Errors:
// errors of the store and of edits. Thread rule: one thread.
#pragma once

#include <optional>
#include <vector>

#include "advice/run/priced.h"

namespace ridge::advice {

struct CheckedFindings {
  std::vector<Finding> findings;
  std::optional<Joint> joint;
};

Result<CheckedFindings> check_findings(const AdviceSubject& subject, const MeasuredModel& measured,
                                       const ModelChanges& changes, PricedFindings priced);

}  // namespace ridge::advice
