// SPDX-License-Identifier: Apache-2.0
// Filter for the runs of a store: a run passes if it matches every member that is set.
//
//   std::erase_if(runs, [&](const RunRow& run) { return !takes(filter, run); });
//
// Pure. Comparison is case-sensitive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/list_rows.h"

namespace ridge::store {

struct RunFilter {
  std::string model;                              ///< a part of the path; "": any
  std::vector<std::string> runtimes;              ///< names as runs record them; empty: any
  std::vector<std::uint32_t> threads;             ///< empty: any
  std::string host;                               ///< a part of the machine's name; "": any
  std::optional<std::int64_t> since_s, before_s;  ///< seconds since 1970: from, before
  /// Number of the experiment that has the result's point. Of lists that the database reads alone:
  /// a row by itself does not say.
  std::optional<std::int64_t> experiment;
};

bool takes(const RunFilter& filter, const RunRow& run);
bool takes(const RunFilter& filter, const profile::EvaluationRecord& evaluation);
/// A failure records neither threads nor host: a filter that sets one of them passes no failure.
bool takes(const RunFilter& filter, const Failure& failure);

}  // namespace ridge::store
