// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/watch.h"

#include <fmt/format.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace ridge::sharing {
namespace {

constexpr int kEventsAtOnce = 256;

}  // namespace

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

Result<Watch> Watch::make() {
  ipc::Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (epoll.is_open()) return Watch(std::move(epoll));
  return environment_error("RIDGE-SHARE-0008", fmt::format("the daemon cannot wait for clients: {}",
                                                           std::generic_category().message(errno)));
}

bool Watch::add(int descriptor, std::uint64_t tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Watch::also_write(int descriptor, std::uint64_t tag, bool writes) {
  epoll_event event{};
  event.events = writes ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.u64 = tag;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void Watch::remove(int descriptor) {
  if (descriptor >= 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

std::vector<std::uint64_t> Watch::wait(const HeldSignals& signals, std::optional<Nanos> longest) {
  std::array<epoll_event, kEventsAtOnce> events;
  int millis = -1;
  if (longest) {
    constexpr std::int64_t kMilli = 1'000'000, kDay = 86'400'000;
    millis = static_cast<int>(std::clamp<std::int64_t>(longest->count / kMilli + 1, 0, kDay));
  }
  const int ready =
      ::epoll_pwait(epoll_.get(), events.data(), kEventsAtOnce, millis, &signals.before());
  std::vector<std::uint64_t> out;
  for (int i = 0; i < ready; ++i) {
    // A copy, because the system's struct is packed and a reference into it is not aligned.
    const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
    out.push_back(tag);
  }
  return out;
}

}  // namespace ridge::sharing
