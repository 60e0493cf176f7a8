// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/kept_answers.h"

#include <utility>

namespace ridge::lab::serve {

std::shared_ptr<const Answer> KeptAnswers::find(const StoreState& state,
                                                const std::string& target) {
  const std::lock_guard lock(mutex_);
  if (state != state_) {
    state_ = state;
    answers_.clear();
    bytes_ = 0;
  }
  const auto known = answers_.find(target);
  return known == answers_.end() ? nullptr : known->second;
}

void KeptAnswers::keep(const StoreState& state, const std::string& target, Answer answer) {
  const std::size_t bytes = target.size() + answer.body.size();
  if (bytes > kMostOfOne) return;
  auto kept = std::make_shared<const Answer>(std::move(answer));
  const std::lock_guard lock(mutex_);
  if (state != state_) return;
  if (bytes_ + bytes > kMost) {
    answers_.clear();
    bytes_ = 0;
  }
  if (answers_.emplace(target, std::move(kept)).second) bytes_ += bytes;
}

}  // namespace ridge::lab::serve
