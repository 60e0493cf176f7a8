// SPDX-License-Identifier: Apache-2.0
// Findings that are no edits: another way to run the same model.
//
//   for (const AdviceSetting& s : settings_for(spec, facts)) s.finding, s.spec
//
// Thread rule: pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advice/record/advice.h"
#include "session/measure_spec.h"

namespace ridge::advice {

struct AdviceSetting {
  Finding finding;
  session::MeasureSpec spec;  ///< the run's, changed
};

/// Independent branches gain at least this part of the latency to be a finding.
inline constexpr double kMinBranches = 0.05;

/// So do more threads.
inline constexpr double kMinThreads = 0.05;

/// Facts that the findings follow from.
struct SettingFacts {
  std::string model;             ///< as given
  double latency_ns = 0;         ///< latency of the run
  std::uint32_t processors = 1;  ///< number in the machine
  /// The run with a thread on each processor, if layers keep their shares of the roofs (bound.h).
  std::optional<double> on_all_ns;
  /// The run with independent layers at the same time (layer_graph.h); nullopt: several threads.
  std::optional<double> scheduled_ns;
  double disturbed_share = 0;  ///< part of the samples that other programs disturbed
};

/// Least share of disturbed runs from which on waiting threads should not spin.
inline constexpr double kMinDisturbed = 0.25;

std::vector<AdviceSetting> settings_for(const session::MeasureSpec& spec,
                                        const SettingFacts& facts);

/// Ids that settings_for() may return.
std::vector<std::string> setting_ids();

}  // namespace ridge::advice
