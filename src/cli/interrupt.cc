#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "cli/console.h"

namespace ridge::cli {
namespace {

std::atomic<bool> gentle{false};
std::atomic<bool> pressed{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // used inside the handler

extern "C" void on_signal(int signal) {
  if (gentle.load() && !pressed.exchange(true)) return;
  _exit(signal == SIGINT ? kInterrupted : 128 + signal);
}

}  // namespace

Interruption::Interruption() {
  pressed = false;
  gentle = true;
}

Interruption::~Interruption() { gentle = false; }

bool Interruption::requested() { return pressed.load(); }

const std::atomic<bool>* Interruption::flag() { return &pressed; }

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

}  // namespace ridge::cli
