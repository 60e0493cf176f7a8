// SPDX-License-Identifier: Apache-2.0
// The findings of a piece of advice with their predicted gains, and the time that is achievable.
//
//   PricedFindings priced = TRY(price_changes(subject, measured, changes));
//   for (const Candidate& c : priced.candidates) c.finding.gain_ns
//
// Bricks come from the store, which gets those that it lacks first if the request says so. A change
// without a gain is no finding but a note, unless it is named. Ownership: candidates borrow edits
// of `changes`. Errors: as in measuring bricks and in the store. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advice/run/changes.h"

namespace ridge::advice {

/// A finding and what applies it: an edit, an int8 copy, other options, or nothing.
struct Candidate {
  Finding finding;
  const AdviceEdit* edit = nullptr;
  std::optional<session::MeasureSpec> spec = {};

  bool is_int8() const { return finding.id == kInt8; }
  bool can_be_applied() const { return edit != nullptr || spec || is_int8(); }
};

struct PricedFindings {
  Achievable achievable;
  std::vector<Candidate> candidates;
  std::optional<Joint> joint;
  std::vector<std::string> notes;
};

Result<PricedFindings> price_changes(const AdviceSubject& subject, const MeasuredModel& measured,
                                     const ModelChanges& changes);

/// The edits after which all outputs that remain are the same, of the model with bound sizes.
std::vector<const rewrite::Rule*> rules_together(const std::vector<Candidate>& candidates);

}  // namespace ridge::advice
