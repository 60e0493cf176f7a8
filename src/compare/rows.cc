#include "compare/rows.h"

namespace ridge::compare {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBaseline:
      return "baseline";
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kNotShown:
      return "no difference shown";
    case Verdict::kDrift:
      return "drift";
    case Verdict::kNotJudged:
      break;
  }
  return "not judged";
}

}  // namespace ridge::compare
