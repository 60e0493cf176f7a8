// SPDX-License-Identifier: Apache-2.0
// Changes of the model that advice looks at: edited copies after which the runtime executes other
// kernels, and the int8 copy, if something asks for it, as calibrating it runs the model.
//
//   const ModelChanges changes = TRY(find_changes(subject, measured));
//   for (const AdviceEdit& edit : changes.edits) edit.network
//
// A copy that the runtime rejects is a note. Errors: as in loading the model. Thread rule: one
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advice/run/edits.h"
#include "advice/run/int8.h"
#include "advice/run/measured.h"

namespace ridge::advice {

struct ModelChanges {
  bricks::Network network;  ///< the model as the runtime executes it
  /// The run with independent layers at the same time; nullopt for one with several threads.
  std::optional<double> scheduled_ns;
  std::vector<AdviceEdit> edits;
  std::optional<Finding> int8_finding;
  std::optional<Int8Model> int8;
  std::vector<std::string> notes;
};

Result<ModelChanges> find_changes(const AdviceSubject& subject, const MeasuredModel& measured);

}  // namespace ridge::advice
