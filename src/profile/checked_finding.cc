#include "profile/checked_finding.h"

namespace ridge::profile {

std::string_view name(CheckState state) {
  switch (state) {
    case CheckState::kHeld:
      return "held";
    case CheckState::kMissed:
      return "missed";
    case CheckState::kNoDifference:
      return "no_difference";
    case CheckState::kNotJudged:
      return "not_judged";
  }
  return "";
}

}  // namespace ridge::profile
