// SPDX-License-Identifier: Apache-2.0
// Limit on the slowdown of a run relative to the baseline, in the syntax of --fail-on.
//
//   latency>5%           fails if a run is significantly more than 5 % slower
//   latency>3ms          fails if a run is significantly more than 3 ms slower
//   group>10%            fails if any group is significantly more than 10 % slower
//   module:layer1>5%     checks the row layer1 of the table by module
//   op:Conv>5%           checks the row Conv of the table by operator
//
// A limit fails only if the whole 95 % interval lies beyond the bound; the intervals of groups,
// which are many, are widened together (stats::common_confidence). If the bound lies inside the
// interval the result is uncertain: it passes, or fails with Uncertain::kFails. So does a
// difference that is no larger than the drift of the machine between two runs that did not take
// turns, which the reference kernels of both show (drift.h): its verdict is drift, not slower. So
// does everything between runs of different machines: a slower machine is no slower model. A
// row that cannot be judged (Cell::reason, for example too few runs) fails; groups that cannot be
// judged are skipped, and the limit fails if no group can be judged. The text of each result states
// the reason. A bound is a percentage, or a time in ns, us, ms or s. A negative bound requires an
// improvement: latency>-10% fails if a run is significantly less than 10 % faster. Errors: usage
// class, with the syntax.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/rows.h"

namespace ridge::compare {

struct RunLimit {
  enum class Of : std::uint8_t { kLatency, kGroup, kModule, kOperator };
  std::string text;  ///< as given
  Of of = Of::kLatency;
  std::string name;  ///< name of the module or operator
  bool relative = true;
  double bound = 0;  ///< as a share of the baseline, or in nanoseconds
};

Result<RunLimit> parse_run_limit(std::string_view text);

enum class Uncertain : std::uint8_t { kPasses, kFails };

struct Checked {
  bool fails = false;
  /// "latency>5%: latency takes …, +51.0 % [-5.0, +142.0]: uncertain, passes; …"
  std::string text;
};

/// Checks every run except the baseline. Returns one result per run. A limit on groups returns per
/// run one result for each failing group and one for all uncertain groups together; if there are
/// neither, one that passes. Usage error if no run has a time for the module or operator.
Result<std::vector<Checked>> check(const RunLimit& limit, const Comparison& comparison,
                                   Uncertain uncertain = Uncertain::kPasses);

}  // namespace ridge::compare
