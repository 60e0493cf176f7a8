// SPDX-License-Identifier: Apache-2.0
// What a daemon of `ridge share` is asked to be (daemon.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include "base/units.h"
#include "sharing/record/policy_spec.h"

namespace ridge::sharing {

struct DaemonOptions {
  std::string folder = {};
  Bytes memory{std::int64_t{4} << 30}, templates{std::int64_t{2} << 30};
  PolicySpec policy = {};
  /// Ends once no client was there and nothing was pinned for so long; nullopt: never.
  std::optional<Nanos> idle_exit = {};
  std::size_t loads_at_once = 2;
  Nanos longest_load{600'000'000'000};
  /// Time that a template has to fork.
  Nanos longest_fork{5'000'000'000};
  /// Set by a signal's handler; borrowed.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace ridge::sharing
