// A bound on how much slower a run may be than the baseline, as written after --fail-on.
//
//   latency>5%           fails where a run is surely over 5 % slower
//   latency>3ms          ... over 3 ms slower
//   group>10%            fails for every group that is
//   module:layer1>5%     of what lies in that module; op:Conv>5% of that operator
//
// It fails only where the 95 % interval excludes the bound; those of groups, which are many, are
// widened together (stats::common_confidence). An interval with the bound inside is not certain: it
// passes, or fails where that is asked for. What cannot be judged (no times of single runs, no such
// time) holds no limit and fails, but of groups that one model lacks. Whatever comes out says why.
// A bound is a percentage, or a time in ns, us, ms or s; a negative one asks for a gain:
// latency>-10% fails where a run surely gains less than 10 %.
// Errors: usage class, with the form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/comparison.h"

namespace ridge::compare {

struct RunLimit {
  enum class Of : std::uint8_t { kLatency, kGroup, kModule, kOperator };
  std::string text;  ///< as written
  Of of = Of::kLatency;
  std::string name;  ///< of the module or operator
  bool relative = true;
  double bound = 0;  ///< a share of the baseline, or nanoseconds
};

Result<RunLimit> parse_run_limit(std::string_view text);

enum class Uncertain : std::uint8_t { kPasses, kFails };

struct Checked {
  bool fails = false;
  /// "latency>5%: latency takes …, +51.0 % [-5.0, +142.0]: not certain, passes; …"
  std::string text;
};

/// What came out, by run and for every group that fails. A usage error where there is no such
/// module or operator.
Result<std::vector<Checked>> check(const RunLimit& limit, const Comparison& comparison,
                                   Uncertain uncertain = Uncertain::kPasses);

}  // namespace ridge::compare
