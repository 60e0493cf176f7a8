// SPDX-License-Identifier: Apache-2.0
// Waits for many descriptors, each with a tag, and for signals.
//
//   const HeldSignals signals;                              // SIGINT, SIGTERM, SIGHUP come later
//   Watch watch = TRY(Watch::make());
//   TRY(watch.add(socket, tag));
//   for (const std::uint64_t tag : watch.wait(signals, Nanos{1'000'000'000})) ...
//
// A signal that is held is taken in wait() alone, which then returns: a flag that its handler sets
// is never missed. Thread rule: one thread. Cost: epoll, O(what is ready).
#pragma once

#include <signal.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/descriptor.h"

namespace ridge::sharing {

/// Holds the signals that end a program back in this thread, until the destructor.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();
  /// The mask as it was before.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

class Watch {
 public:
  /// Environment error RIDGE-SHARE-0008.
  static Result<Watch> make();

  /// False: there are too few descriptors or there is no memory.
  [[nodiscard]] bool add(int descriptor, std::uint64_t tag);
  /// Whether to wait for room to write as well.
  void also_write(int descriptor, std::uint64_t tag, bool writes);
  /// Before the descriptor is closed.
  void remove(int descriptor);
  /// Tags of what can be read or written, or has ended; none at the end of the time or at a signal.
  /// nullopt: without an end.
  std::vector<std::uint64_t> wait(const HeldSignals& signals, std::optional<Nanos> longest);

 private:
  explicit Watch(ipc::Descriptor epoll) : epoll_(std::move(epoll)) {}
  ipc::Descriptor epoll_;
};

}  // namespace ridge::sharing
