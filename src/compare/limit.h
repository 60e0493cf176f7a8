// A bound on how much a total may change, as written after --fail-on.
//
//   macs>5%      fails where B has over 5 % more MACs than A
//   params>0     fails where B has any parameter more
//   bytes<-10%   fails where B has over 10 % fewer bytes, read and written together
//   added>0      fails where a node was added; likewise removed, changed
//
// A number may end in k, M, G or T. Figures: the totals of ridge.analysis/1, bytes, and the counts
// added, removed, changed. Errors: usage class, with the form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "compare/diff.h"

namespace ridge::compare {

struct Limit {
  std::string text;    ///< as written
  std::string figure;  ///< "macs", "bytes", "added"
  bool above = true;   ///< fails above the bound; else below it
  bool relative = false;
  double bound = 0;  ///< a share of A where relative
};

Result<Limit> parse_limit(std::string_view text);

/// Why the limit does not hold: "macs>5%: macs rose by 6.2 %, from 1.00 G to 1.06 G"; nullopt where
/// it holds. A figure that is not known on a side holds no limit.
std::optional<std::string> violation(const Limit& limit, const Diff& diff);

}  // namespace ridge::compare
