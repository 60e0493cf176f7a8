// What ridge explain prints: all that is known of an operator, of a node, or of layers of a run.
//
//   Explanation e{.resolved = &resolved, .node = 3, .run = &profile, .layers = {0}};
//   write_explanation_text(e, sink);
//
// Borrows what it points to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "ops/operator.h"
#include "profile/profile.h"

namespace ridge::exports {

struct Explanation {
  std::string subject;                           ///< the model, run or operator as it was named
  std::vector<const ops::Operator*> versions;    ///< of an operator; else empty
  std::optional<std::uint32_t> node;             ///< the same index in `resolved` and `run`
  const analysis::Resolved* resolved = nullptr;  ///< nullptr: a run alone is given
  const profile::Profile* run = nullptr;         ///< nullptr: nothing was measured
  std::vector<std::uint32_t> layers;             ///< places in its layers
};

void write_explanation_text(const Explanation& explanation, Sink& sink);
void write_explanation_markdown(const Explanation& explanation, Sink& sink);
/// ridge.explanation/1.
void write_explanation_json(const Explanation& explanation, Sink& sink);

}  // namespace ridge::exports
