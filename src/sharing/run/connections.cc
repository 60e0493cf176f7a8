// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/connections.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/version.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/socket_place.h"

namespace ridge::sharing {
namespace {

using ipc::Descriptor;

constexpr int kAcceptsAtOnce = 64;

Error no_share_message() {
  return environment_error("RIDGE-SHARE-0040", "what came over the socket is no message")
      .hint("let only ridge and its library connect");
}

Error other_protocol(const Hello& theirs) {
  return environment_error("RIDGE-SHARE-0041",
                           fmt::format("the daemon is {} than this program",
                                       theirs.protocol > kProtocol ? "older" : "newer"))
      .evidence(fmt::format("protocol {} of ridge {} there, protocol {} of ridge {} here",
                            kProtocol, version(), theirs.protocol, printable(theirs.ridge)))
      .hint(fmt::format("end the daemon, process {}, and a new one is started", ::getpid()));
}

Descriptor pidfd_of(pid_t process) {
  if (process <= 0) return {};
  const auto fd = ::syscall(SYS_pidfd_open, process, 0);
  if (fd < 0) return {};
  ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
  return Descriptor(static_cast<int>(fd));
}

Descriptor spare_descriptor() { return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

Connections::Connections(Watch& watch, const Descriptor& listener, ClientHandler& handler)
    : watch_(watch), listener_(listener), handler_(handler), spare_(spare_descriptor()) {}

void Connections::happened(std::uint64_t tag, Nanos now) {
  if (kind_of(tag) == TagKind::kListener) return accept_all(now);
  const auto found = clients_.find(number_of(tag));
  if (found == clients_.end() || found->second.dropped) return;
  if (kind_of(tag) == TagKind::kClientProcess) return drop(found->first, found->second);
  read(found->first, found->second, now);
}

// Arrival

void Connections::accept_all(Nanos now) {
  for (int i = 0; i < kAcceptsAtOnce && accept_one(now); ++i) continue;
}

bool Connections::accept_one(Nanos now) {
  Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.is_open()) {
    if (errno == EMFILE || errno == ENFILE) refuse_for_descriptors();
    return errno == EINTR || errno == ECONNABORTED;
  }
  Connection client{.line = Line(std::move(socket), {}), .process = {}};
  const ClientId id = next_++;
  const Result<Peer> peer = same_user_peer(client.line.descriptor());
  if (!peer.ok() || clients_.size() >= kMostClients) {
    const Error error = peer.ok() ? environment_error("RIDGE-SHARE-0042",
                                                      "the daemon has as many clients as it takes")
                                  : peer.error();
    client.line.send(MessageKind::kFailure, record::to_binary(Failure{0, error}));
    client.line.write();
    return true;
  }
  client.process = pidfd_of(peer->process);
  if (!watch_.add(client.line.descriptor(), tag_of(TagKind::kClient, id))) return true;
  if (client.process.is_open() &&
      !watch_.add(client.process.get(), tag_of(TagKind::kClientProcess, id)))
    client.process.reset();
  client.pressed_since = now;
  pressed_.insert(id);
  clients_.emplace(id, std::move(client));
  return true;
}

/// Takes a client that waits, tells it, and lets it go.
void Connections::refuse_for_descriptors() {
  spare_.reset();
  Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.is_open()) {
    const Error error =
        environment_error("RIDGE-SHARE-0043", "the daemon has too few file descriptors")
            .hint("raise the limit of the program that starts it: ulimit -n");
    Line line(std::move(socket), {});
    line.send(MessageKind::kFailure, record::to_binary(Failure{0, error}));
    line.write();
  }
  spare_ = spare_descriptor();
  errno = 0;
}

// Questions

void Connections::read(ClientId id, Connection& client, Nanos now) {
  client.line.write();
  client.line.read();
  while (!client.dropped) {
    const auto frame = client.line.next();
    if (!frame) break;
    pressed_.erase(id);  // its time begins anew
    if (!take(id, client, *frame)) fail(id, client, no_share_message());
  }
  if (client.dropped) return;
  if (client.line.state() == Line::State::kGarbage) return fail(id, client, no_share_message());
  if (client.line.state() == Line::State::kClosed) return drop(id, client);
  press(id, client, now);
}

bool Connections::take(ClientId id, Connection& client, const LineFrame& frame) {
  if (!client.greeted) return greet(id, client, frame);
  if (frame.kind != MessageKind::kAsk) return false;
  const auto ask = record::from_binary<Ask>(frame.payload);
  if (!ask) return false;
  handler_.asked(id, *ask);
  return true;
}

bool Connections::greet(ClientId id, Connection& client, const LineFrame& frame) {
  Hello hello;
  std::string_view bytes = frame.payload;  // a newer one may have more members
  if (frame.kind != MessageKind::kHello ||
      !record::take_binary(record::kType<Hello>, bytes, &hello))
    return false;
  if (hello.protocol != kProtocol) return fail(id, client, other_protocol(hello)), true;
  client.greeted = true;
  answer(id, MessageKind::kHello, Hello{kProtocol, std::string(version())});
  return true;
}

/// Tells a client why its connection ends, and ends it.
void Connections::fail(ClientId id, Connection& client, const Error& error) {
  client.line.send(MessageKind::kFailure, record::to_binary(Failure{0, error}));
  client.line.write();
  drop(id, client);
}

void Connections::send(ClientId id, MessageKind::Value kind, std::string_view payload,
                       std::vector<Descriptor> files) {
  const auto found = clients_.find(id);
  if (found == clients_.end() || found->second.dropped) return;
  Connection& client = found->second;
  client.line.send(kind, payload, std::move(files));
  client.line.write();
  if (client.line.state() == Line::State::kClosed) return drop(id, client);
  press(id, client, steady_clock().now());
}

/// Keeps the time of a client that has to do something, and waits for room to write.
void Connections::press(ClientId id, Connection& client, Nanos now) {
  if (client.line.has_queued() != client.writes) {
    client.writes = client.line.has_queued();
    watch_.also_write(client.line.descriptor(), tag_of(TagKind::kClient, id), client.writes);
  }
  if (client.greeted && !client.line.half() && !client.line.has_queued())
    pressed_.erase(id);
  else if (pressed_.insert(id).second)
    client.pressed_since = now;
}

// End

/// Ends a client, whose record stays until look_after(): it may be in use.
void Connections::drop(ClientId id, Connection& client) {
  if (std::exchange(client.dropped, true)) return;
  watch_.remove(client.line.descriptor());
  watch_.remove(client.process.get());
  pressed_.erase(id);
  dropped_.push_back(id);
}

void Connections::look_after(Nanos now) {
  std::vector<ClientId> late;
  for (const ClientId id : pressed_)
    if (now - clients_.at(id).pressed_since >= kPatience) late.push_back(id);
  for (const ClientId id : late) drop(id, clients_.at(id));
  while (!dropped_.empty()) {
    const ClientId id = dropped_.back();
    dropped_.pop_back();
    clients_.erase(id);
    handler_.gone(id);
  }
}

}  // namespace ridge::sharing
