// SPDX-License-Identifier: Apache-2.0
// Runs of a session in an ONNX Runtime profile, and the run that an event belongs to.
//
//   runs.add({.start_us = 0, .end_us = 20, .thread = 1});   // a "model_run" event
//   runs.order();
//   const OrtRun* run = runs.of(event);                     // nullptr: in no run that ended
//
// An event belongs to the run that encloses it. Runs that overlap are told apart by their threads.
// Cost: O(n log n) once, O(log n) per event.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "profile/ort_trace.h"

namespace ridge::imports {

struct OrtRun {
  std::int64_t start_us = 0, end_us = 0;
  std::uint64_t thread = 0;
  std::size_t index = 0;  ///< position in order of start

  std::int64_t duration_us() const { return end_us - start_us; }
};

class OrtRuns {
 public:
  void add(const OrtRun& run) { runs_.push_back(run); }
  /// To be called after the last add.
  void order();
  const OrtRun* of(const profile::OrtInterval& event) const;

  bool empty() const { return runs_.empty(); }
  std::size_t size() const { return runs_.size(); }
  const std::vector<OrtRun>& all() const { return runs_; }

 private:
  std::vector<OrtRun> runs_;
  std::map<std::uint64_t, std::vector<OrtRun>> by_thread_;
  bool overlap_ = false;
};

}  // namespace ridge::imports
