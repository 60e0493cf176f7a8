// SPDX-License-Identifier: Apache-2.0
// Cancellation of the child's active session from outside.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "runtime/abi.h"

namespace ridge::runtime {

/// Listens on the control socket in its own thread: a byte cancels the active session, the end of
/// the socket ends the process.
class Canceler {
 public:
  /// Begins to listen, until the process ends.
  void start();
  /// Sets a folder that is deleted if the process ends because ridge has died.
  void remove_at_end(std::string folder);
  /// Sets the session that a byte cancels; nullptr: none. Waits for a cancellation in progress.
  void set_active(const RidgeRuntimeApi* api, RidgeSession* session);
  bool canceled() const { return canceled_.load(std::memory_order_relaxed); }
  /// System id of the listening thread; 0 before start().
  std::int64_t thread() const { return thread_.load(std::memory_order_relaxed); }

 private:
  void listen();
  std::mutex mutex_;
  std::string folder_;
  const RidgeRuntimeApi* api_ = nullptr;
  RidgeSession* session_ = nullptr;
  std::atomic<bool> canceled_ = false;
  std::atomic<std::int64_t> thread_ = 0;
};

}  // namespace ridge::runtime
