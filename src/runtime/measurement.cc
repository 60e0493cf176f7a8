// SPDX-License-Identifier: Apache-2.0
#include "runtime/measurement.h"

namespace ridge::runtime {

std::string_view name(Mode mode) {
  switch (mode) {
    case Mode::kFirst:
      return "first";
    case Mode::kWarmup:
      return "warm-up";
    case Mode::kSettle:
      return "settle";
    case Mode::kUnprofiled:
      return "plain";
    case Mode::kProfiled:
      return "profiled";
    case Mode::kThreadPart:
      return "thread, half";
    case Mode::kThread:
      return "thread";
    case Mode::kCounterPart:
      return "counter, half";
    case Mode::kCounter:
      return "counter";
    case Mode::kDeepest:
      return "deepest";
  }
  return "?";
}

}  // namespace ridge::runtime
