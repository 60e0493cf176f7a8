// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/daemon.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/version.h"
#include "sharing/run/connections.h"
#include "sharing/run/holdings.h"
#include "sharing/run/socket_place.h"
#include "sharing/run/watch.h"

namespace ridge::sharing {
namespace {

constexpr Nanos kOnceInAWhile{1'000'000'000};

/// Each client takes two descriptors, each object one or more.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

class Daemon::State final : public ClientHandler {
 public:
  State(DaemonOptions options, Loader& loader, SocketPlace place, Watch watch)
      : options_(std::move(options)),
        place_(std::move(place)),
        watch_(std::move(watch)),
        holdings_(options_, loader, watch_),
        clients_(watch_, place_.socket(), *this) {
    holdings_.answer_to(clients_);
  }

  Result<void> serve() {
    raise_descriptor_limit();
    const HeldSignals signals;
    if (!watch_.add(place_.socket().get(), tag_of(TagKind::kListener, 0)))
      return environment_error("RIDGE-SHARE-0009", "the daemon cannot wait for its socket");
    Nanos now = steady_clock().now();
    idle_since_ = looked_ = now;
    while (!stopping() && !idle_for_long(now)) {
      const auto tags = watch_.wait(signals, longest_wait(now));
      now = steady_clock().now();
      for (const std::uint64_t tag : tags) happened(tag, now);
      clients_.look_after(now);
      if (now - looked_ >= kOnceInAWhile || tags.empty()) holdings_.look_after(looked_ = now);
      const bool was_busy = std::exchange(busy_, clients_.size() > 0 || holdings_.busy());
      if (was_busy || busy_) idle_since_ = now;
    }
    return {};
  }

  void asked(ClientId client, const Ask& ask) override {
    switch (ask.what) {
      case What::kWeights:
      case What::kSession:
      case What::kPin:
        return holdings_.ask(client, ask);
      case What::kRelease:
        return holdings_.release(client, ask);
      case What::kUnpin:
        return holdings_.unpin(client, ask);
      case What::kEvict:
        return holdings_.evict(client, ask);
      case What::kFlush:
        return holdings_.flush(client, ask);
      case What::kList:
        return list(client, ask);
      case What::kStop:
        clients_.answer(client, MessageKind::kDone, Done{ask.id, 1, 0});
        told_to_stop_ = true;
    }
  }

  void gone(ClientId client) override { holdings_.gone(client); }

 private:
  bool stopping() const {
    return told_to_stop_ || (options_.stop != nullptr && options_.stop->load());
  }

  bool idle_for_long(Nanos now) const {
    return options_.idle_exit && clients_.size() == 0 && !holdings_.busy() &&
           now - idle_since_ >= *options_.idle_exit;
  }

  std::optional<Nanos> longest_wait(Nanos now) const {
    std::optional<Nanos> out;
    const auto at_most = [&](Nanos time) { out = out ? std::min(*out, time) : time; };
    if (clients_.has_deadlines()) at_most(kOnceInAWhile);
    if (const auto moment = holdings_.next_moment(now)) at_most(*moment - now);
    if (options_.idle_exit && clients_.size() == 0)
      at_most(std::max(idle_since_ + *options_.idle_exit - now, Nanos{0}));
    return out;
  }

  void happened(std::uint64_t tag, Nanos now) {
    const TagKind kind = kind_of(tag);
    if (kind == TagKind::kListener || kind == TagKind::kClient || kind == TagKind::kClientProcess)
      return clients_.happened(tag, now);
    holdings_.happened(tag, now);
  }

  void list(ClientId client, const Ask& ask) {
    Listing listing{.id = ask.id,
                    .list = {.ridge = std::string(version()),
                             .process = ::getpid(),
                             .clients = clients_.size(),
                             .levels = {},
                             .objects = {}}};
    holdings_.list(listing.list);
    clients_.answer(client, MessageKind::kListing, listing);
  }

  DaemonOptions options_;
  SocketPlace place_;
  Watch watch_;
  Holdings holdings_;
  Connections clients_;
  Nanos idle_since_{0}, looked_{0};
  bool told_to_stop_ = false, busy_ = false;
};

Daemon::Daemon(std::unique_ptr<State> state) : state_(std::move(state)) {}
Daemon::Daemon(Daemon&&) noexcept = default;
Daemon& Daemon::operator=(Daemon&&) noexcept = default;
Daemon::~Daemon() = default;

Result<Daemon> Daemon::open(DaemonOptions options, Loader& loader) {
  SocketPlace place = TRY(SocketPlace::take(options.folder));
  Watch watch = TRY(Watch::make());
  return Daemon(
      std::make_unique<State>(std::move(options), loader, std::move(place), std::move(watch)));
}

Result<void> Daemon::serve() { return state_->serve(); }

}  // namespace ridge::sharing
