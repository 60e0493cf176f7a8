// Limit on the slowdown of a run relative to the baseline, in the syntax of --fail-on.
//
//   latency>5%           fails if a run is significantly more than 5 % slower
//   latency>3ms          ... more than 3 ms slower
//   group>10%            fails for every group that is
//   module:layer1>5%     for the layers of that module; op:Conv>5% for that operator
//
// A limit fails only if the whole 95 % interval lies beyond the bound; the intervals of groups,
// which are many, are widened together (stats::common_confidence). If the bound lies inside the
// interval the result is uncertain: it passes, or fails if so requested. A row that cannot be
// judged (no times of single runs, no such time) fails; groups that cannot be judged are skipped
// unless none can be judged. The text of each result gives the reason. A bound is a percentage, or
// a time in ns, us, ms or s; a negative one requires a gain: latency>-10% fails if a run is
// significantly less than 10 % faster. Errors: usage class, with the syntax.
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

/// Checks a limit. Returns one result per run; for groups one per failing group, and one for all
/// uncertain groups or if all pass. A usage error if there is no such module or operator.
Result<std::vector<Checked>> check(const RunLimit& limit, const Comparison& comparison,
                                   Uncertain uncertain = Uncertain::kPasses);

}  // namespace ridge::compare
