// SPDX-License-Identifier: Apache-2.0
// Output of ridge explain: all known facts about an operator, a node, or layers of a run.
//
//   Explanation e{.resolved = &resolved, .node = 3, .run = &profile, .layers = {0}};
//   write_explanation_text(e, sink);
//
// Borrows the objects that it points to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "ops/operator.h"
#include "profile/profile.h"
#include "record/document_sink.h"

namespace ridge::exports {

struct Explanation {
  std::string subject;                           ///< model, run or operator, as given
  std::vector<const ops::Operator*> versions;    ///< versions of an operator; else empty
  std::optional<std::uint32_t> node;             ///< same index in `resolved` and `run`
  const analysis::Resolved* resolved = nullptr;  ///< nullptr: only a run is given
  const profile::Profile* run = nullptr;         ///< nullptr: nothing was measured
  std::vector<std::uint32_t> layers;             ///< positions in run->layers
};

void write_explanation_text(const Explanation& explanation, Sink& sink);
void write_explanation_markdown(const Explanation& explanation, Sink& sink);
/// Writes ridge.explanation/1.
void write_explanation_document(const Explanation& explanation, const record::DocumentSink& out);

}  // namespace ridge::exports
