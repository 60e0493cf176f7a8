// SPDX-License-Identifier: Apache-2.0
// Injectable clock: code that measures time takes a Clock, so that tests can control it.
#pragma once

#include "base/units.h"

namespace ridge {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since an arbitrary fixed moment; never decreases.
  virtual Nanos now() const = 0;
};

/// The process-wide monotonic clock (CLOCK_MONOTONIC).
const Clock& steady_clock();

}  // namespace ridge
