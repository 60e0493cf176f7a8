// SPDX-License-Identifier: Apache-2.0
// Limit on the change of a total, in the syntax of --fail-on.
//
//   macs>5%      fails if B has over 5 % more MACs than A
//   params>0     fails if B has more parameters
//   bytes<-10%   fails if B has over 10 % fewer bytes, read and written together
//   added>0      fails if a node was added; likewise removed, changed
//
// A number may end in k, M, G or T. Figures: the totals of ridge.analysis/1, bytes, and the counts
// added, removed, changed. Errors: usage class, with the syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "compare/diff_rows.h"

namespace ridge::compare {

struct Limit {
  std::string text;    ///< as given
  std::string figure;  ///< "macs", "bytes", "added"
  bool above = true;   ///< true: fails above the bound; false: below it
  bool relative = false;
  double bound = 0;  ///< as a share of A if relative
};

Result<Limit> parse_limit(std::string_view text);

/// Describes the violation of a limit: "macs>5%: macs rose by 6.2 %, from 1.00 G to 1.06 G";
/// nullopt if it is met. A figure that is unknown on either side violates every limit.
std::optional<std::string> violation(const Limit& limit, const Diff& diff);

}  // namespace ridge::compare
