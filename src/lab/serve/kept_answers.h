// SPDX-License-Identifier: Apache-2.0
// Answers that hold for as long as the store does not change, so that what many ask for is read and
// written once.
//
//   if (auto known = kept.find(state, target)) return *known;
//   Answer answer = ...;                             // read after the state was
//   kept.keep(state, target, answer);                // for whoever finds the same state
//
// A state (StorePool::state()) is never one that was before: an answer that is kept under the state
// before it was read is found while nothing has changed since, and never later. Holds at most kMost
// bytes; then all are given up. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "lab/serve/exchange.h"
#include "lab/serve/stores.h"

namespace ridge::lab::serve {

class KeptAnswers {
 public:
  static constexpr std::size_t kMost = std::size_t{32} << 20, kMostOfOne = std::size_t{4} << 20;

  /// nullptr where none is known. Answers of other states are given up.
  std::shared_ptr<const Answer> find(const StoreState& state, const std::string& target);
  /// Does nothing where another state was asked for meanwhile.
  void keep(const StoreState& state, const std::string& target, Answer answer);

 private:
  std::mutex mutex_;
  StoreState state_;
  std::map<std::string, std::shared_ptr<const Answer>> answers_;
  std::size_t bytes_ = 0;
};

}  // namespace ridge::lab::serve
