// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <chrono>

namespace ridge {

const Clock& steady_clock() {
  class Steady final : public Clock {
   public:
    Nanos now() const override {
      const auto t = std::chrono::steady_clock::now().time_since_epoch();
      return {std::chrono::duration_cast<std::chrono::nanoseconds>(t).count()};
    }
  };
  static const Steady clock;
  return clock;
}

}  // namespace ridge
