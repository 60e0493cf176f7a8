// SPDX-License-Identifier: Apache-2.0
// The daemon of `ridge share`: models that are loaded once, and leases of them.
//
//   FileLoader loader("/proc/self/exe");
//   Daemon daemon = TRY(Daemon::open({.folder = "/run/user/1000/ridge"}, loader));
//   TRY(daemon.serve());     // until a signal sets `stop`, a client says so, or it is idle
//
// One thread and one loop; all else is a child process of a Loader, and none of them outlives it. A
// client that is slow, broken or hostile costs a connection (connections.h); a load that fails is
// the failure of those who asked for it. A killed daemon leaves a socket and a lock file that the
// next one takes over; leases that were granted stay usable, as their memory is the clients'.
//
// Errors: as SocketPlace::take, Watch::make. Ownership: borrows the loader. Thread rule: one
// thread, which started it. Cost: about 30 us a lease of what is there (bench/share_leases.cc).
#pragma once

#include <memory>

#include "base/result.h"
#include "sharing/run/daemon_options.h"
#include "sharing/run/loader.h"

namespace ridge::sharing {

class Daemon {
 public:
  static Result<Daemon> open(DaemonOptions options, Loader& loader);
  Daemon(Daemon&&) noexcept;
  Daemon& operator=(Daemon&&) noexcept;
  ~Daemon();

  Result<void> serve();

 private:
  class State;
  explicit Daemon(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ridge::sharing
