// SPDX-License-Identifier: Apache-2.0
// Which machines lie outside a subject, and what another machine may show.
//
// Score of a machine in a subject: ln of how many times slower it is than the median machine. Of
// several roofs of one level it is their median, at an even number the one of the middle two that
// is closer to 1. Machines outside are found by the generalized extreme Studentized deviate test
// (stats/outliers.h, Rosner 1983), for at most a quarter of the machines; center and spread are of
// the others. A machine is named if it is slower, by more than `least_difference`, in each of its
// runs, of roofs in each of the level: one reading that other programs disturbed accuses nobody.
// Another machine is compared with the t-interval of prediction of one more value, on the slow
// side.
//
// Multiplicity (Bonferroni 1936): the chance of a false accusation over the whole set is divided
// evenly between roofs, latencies and layer groups, and within these between their subjects, so
// that hundreds of layers do not blunt the test of a few roofs.
//
// Worked example: 12 machines, roofs of 8 levels and thread counts, 2 latencies, 40 layer groups
// at 0.01: a subject of roofs has 0.01 / 3 / 8 = 4.2e-4. Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/baseline/baseline.h"

namespace ridge::lab {

/// The rule at its defaults, in words.
BaselineRule default_rule();

/// Sets the significance of each subject: its part of the rule's.
void share_significance(const BaselineRule& rule, std::vector<Subject>& subjects);

/// Sets center, spread, limit and `outside` of a subject from its votes. False, and nothing set, if
/// it has votes of fewer than the rule's least number of machines.
bool judge(const BaselineRule& rule, Subject& subject);

/// Number of machines with a vote in the subject.
std::size_t machines_in(const Subject& subject);

/// Finding about a machine by its votes in a judged subject. `name`: of the subject.
OffFinding finding_of(const Subject& subject, const std::string& name, std::uint32_t machine,
                      const std::string& machine_name);

/// How many times slower than the center a machine with votes in the subject is.
struct Slowness {
  double value = 1, best = 1;  ///< by its votes, and in its best run, or roof of a level
};
/// nullopt if the machine has no vote in the judged subject.
std::optional<Slowness> slowness_in(const Subject& subject, std::uint32_t machine);

}  // namespace ridge::lab
