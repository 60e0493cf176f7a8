// SPDX-License-Identifier: Apache-2.0
#include "runtime/serve/copies.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ridge::runtime {
namespace {

sigset_t ends_of_children() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return set;
}

}  // namespace

Result<Copies> Copies::watch() {
  const sigset_t set = ends_of_children();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ipc::Descriptor signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (signals.is_open()) return Copies(std::move(signals));
  return environment_error("RIDGE-RT-0075", "a template cannot watch its copies: " +
                                                std::generic_category().message(errno))
      .hint("check the limit on open files (ulimit -n)");
}

void Copies::collect() {
  signalfd_siginfo signal{};
  while (::read(signals_.get(), &signal, sizeof(signal)) == ssize_t{sizeof(signal)}) {
    // One signal may stand for several ends.
  }
  int status = 0;
  for (pid_t ended = ::waitpid(-1, &status, WNOHANG); ended > 0;
       ended = ::waitpid(-1, &status, WNOHANG)) {
    const auto copy = running_.find(ended);
    if (copy == running_.end()) continue;  // a process that the runtime started
    ::send(copy->second.get(), &status, sizeof(status), MSG_NOSIGNAL | MSG_DONTWAIT);
    running_.erase(copy);
  }
}

void Copies::forget() {
  running_.clear();
  signals_.reset();
  const sigset_t set = ends_of_children();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace ridge::runtime
