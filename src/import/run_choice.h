// SPDX-License-Identifier: Apache-2.0
// Choice of runs of one recording, for runs of unequal sizes: a decoder's prefill and its steps.
//
//   const std::vector<bool> keep = TRY(chosen_runs("decode", runs, notes));
//
// Runs are told apart by the sizes of their first matrix product, which do not depend on a cache:
//
//   run 1   MatMul writes 1x128x768     prefill: more than the fewest elements
//   run 2   MatMul writes 1x1x768       decode: the fewest elements
//   run 3   MatMul writes 1x1x768
//
// A choice is "prefill", "decode", the number of a run ("2"), or a range ("2..20"), from 1 in order
// of start. Thread rule: plain functions. Errors: RIDGE-IMP-0015 (usage).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/ort_trace.h"

namespace ridge::imports {

/// Sizes of the first product of a run.
struct RunSize {
  std::vector<std::int64_t> dims;  ///< empty: not recorded
};

/// By run: true if the choice has it. Adds a note that says which were taken.
Result<std::vector<bool>> chosen_runs(std::string_view choice, const std::vector<RunSize>& runs,
                                      std::vector<std::string>& notes);

/// Runs of ONNX Runtime's profile that a choice leaves out.
class OrtRunChoice {
 public:
  /// Reads the recording once. An empty choice leaves out nothing and reads nothing.
  static Result<OrtRunChoice> make(std::string_view content, std::string_view choice,
                                   std::vector<std::string>& notes);
  /// True for events inside a run that is left out, and for that run's own event.
  bool leaves_out(const profile::OrtEvent& event) const;

 private:
  struct Run {
    std::int64_t start_us = 0, end_us = 0;
    std::uint64_t thread = 0;
    RunSize size;
    std::int64_t product_us = INT64_MAX;  // start of the product that `size` is of
    bool kept = true;
  };
  static const Run* holder(const std::vector<Run>& runs, const profile::OrtEvent& event);

  std::vector<Run> runs_;  // by start
};

}  // namespace ridge::imports
