#include "profile/profile.h"

namespace ridge::profile {

std::string_view name(Role role) {
  switch (role) {
    case Role::kExecutes:
      return "executes";
    case Role::kPart:
      return "part";
    case Role::kAbsorbed:
      return "absorbed";
  }
  return "";
}

std::string_view name(Evidence evidence) {
  switch (evidence) {
    case Evidence::kRuntimeList:
      return "runtime_list";
    case Evidence::kSameTensor:
      return "same_tensor";
    case Evidence::kRenamed:
      return "renamed";
    case Evidence::kRegion:
      return "region";
    case Evidence::kValue:
      return "value";
    case Evidence::kShapes:
      return "shapes";
    case Evidence::kOrder:
      return "order";
    case Evidence::kFusion:
      return "fusion";
    case Evidence::kGuess:
      return "guess";
  }
  return "";
}

std::string_view name(Why why) {
  switch (why) {
    case Why::kFolded:
      return "folded";
    case Why::kEliminated:
      return "eliminated";
    case Why::kMerged:
      return "merged";
    case Why::kNotExecuted:
      return "not_executed";
    case Why::kInside:
      return "inside";
  }
  return "";
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "agrees";
    case Verdict::kExplained:
      return "explained";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kIncomparable:
      return "incomparable";
  }
  return "";
}

}  // namespace ridge::profile
