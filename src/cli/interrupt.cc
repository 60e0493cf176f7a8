// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "cli/console.h"

namespace ridge::cli {
namespace {

std::atomic<bool> deferred{false};
std::atomic<bool> signal_received{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // used inside the handler

extern "C" void on_signal(int signal) {
  if (deferred.load() && !signal_received.exchange(true)) return;
  _exit(signal == SIGINT ? kInterrupted : 128 + signal);
}

}  // namespace

Interruption::Interruption() {
  signal_received = false;
  deferred = true;
}

Interruption::~Interruption() { deferred = false; }

bool Interruption::requested() { return signal_received.load(); }

const std::atomic<bool>* Interruption::flag() { return &signal_received; }

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // nohup has SIGHUP ignored, so that work goes on without its terminal.
  struct sigaction inherited = {};
  if (sigaction(SIGHUP, nullptr, &inherited) != 0 || inherited.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

}  // namespace ridge::cli
