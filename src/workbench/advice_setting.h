// Findings that are no edits: another way to run the same model.
//
//   for (const AdviceSetting& s : settings_for(spec, processors, advice)) s.finding, s.spec
//
// Thread rule: pure.
#pragma once

#include <vector>

#include "advice/advice.h"
#include "workbench/measure_spec.h"

namespace ridge::workbench {

struct AdviceSetting {
  advice::Finding finding;
  MeasureSpec spec;  ///< the run's, changed
};

/// Independent branches gain at least this part of the latency to be a finding.
inline constexpr double kLeastBranches = 0.05;

/// `advice`: with its measured time and what is achievable. `processors`: of the machine.
std::vector<AdviceSetting> settings_for(const MeasureSpec& spec, std::uint32_t processors,
                                        const advice::Advice& advice);

/// Ids that settings_for() may return.
std::vector<std::string> setting_ids();

}  // namespace ridge::workbench
