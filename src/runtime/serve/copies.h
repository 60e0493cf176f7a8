// SPDX-License-Identifier: Apache-2.0
// The copies of a template that run: collects those that end, so that none stays a zombie, and
// tells their users how they ended.
//
// Thread rule: one thread.
#pragma once

#include <sys/types.h>

#include <map>

#include "base/result.h"
#include "ipc/descriptor.h"

namespace ridge::runtime {

class Copies {
 public:
  /// Blocks SIGCHLD for this thread and those it starts. Environment error: no descriptor left.
  static Result<Copies> watch();

  /// Readable when one may have ended.
  int descriptor() const { return signals_.get(); }
  /// `control`: the copy's end of its control socket, on which its status is told.
  void add(pid_t copy, ipc::Descriptor control) { running_.emplace(copy, std::move(control)); }
  /// Collects all that have ended.
  void collect();
  /// In a copy: forgets the others, and lets its own children end as usual.
  void forget();

 private:
  explicit Copies(ipc::Descriptor signals) : signals_(std::move(signals)) {}
  ipc::Descriptor signals_;  // signalfd
  std::map<pid_t, ipc::Descriptor> running_;
};

}  // namespace ridge::runtime
