#include "profile/checked_finding.h"

namespace ridge::profile {

std::string_view name(CheckState state) {
  switch (state) {
    case CheckState::kGained:
      return "gained";
    case CheckState::kLost:
      return "lost";
    case CheckState::kNoDifference:
      return "no_difference";
    case CheckState::kNotJudged:
      return "not_judged";
  }
  return "";
}

std::string_view name(Prediction prediction) {
  switch (prediction) {
    case Prediction::kNone:
      return "none";
    case Prediction::kWithin:
      return "within";
    case Prediction::kMissed:
      return "missed";
    case Prediction::kUnpredictable:
      return "unpredictable";
  }
  return "";
}

}  // namespace ridge::profile
