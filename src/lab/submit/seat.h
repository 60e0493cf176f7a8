// SPDX-License-Identifier: Apache-2.0
// What a coordinator knows of one machine. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/units.h"
#include "lab/submit/needs.h"
#include "lab/submit/worker.h"
#include "store/experiment.h"

namespace ridge::lab {

/// How a machine calls a point.
struct PointNames {
  std::uint32_t job = 0;
  std::string key, store_key;
};

struct Seat {
  enum class Stage : std::uint8_t { kStarting, kPlanning, kReady, kUnfit, kLost, kGone };

  Worker* worker = nullptr;
  Stage stage = Stage::kStarting;
  std::size_t job = 0;           ///< kPlanning: job that it lists
  std::set<std::size_t> listed;  ///< jobs whose points it listed
  std::optional<Candidate> candidate;
  std::vector<std::string> reasons;
  std::map<std::size_t, PointNames> points;         ///< by task
  std::map<LeaseId, Nanos> leases;                  ///< leases that it is at, and since when
  std::map<std::string, store::AgentModel> models;  ///< models of the points that it listed
  std::int64_t last_s = 0;  ///< last sign of life, seconds since 1970 (UTC); 0: none
  std::int64_t done = 0;
  int failures = 0;  ///< in a row
  Nanos retry_at{0};
  std::string away;  ///< why it was lost; "" once it answers again

  bool settled() const { return stage == Stage::kReady || ended(); }
  bool ended() const { return stage == Stage::kUnfit || stage == Stage::kGone; }
  void add_reason(std::string reason) {
    for (const std::string& known : reasons)
      if (known == reason) return;
    reasons.push_back(std::move(reason));
  }
};

}  // namespace ridge::lab
