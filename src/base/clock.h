// Time as a parameter: measuring code takes a Clock, so that tests own it.
#pragma once

#include "base/units.h"

namespace ridge {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since an arbitrary fixed moment; never goes back.
  virtual Nanos now() const = 0;
};

/// CLOCK_MONOTONIC.
const Clock& steady_clock();

}  // namespace ridge
