// SPDX-License-Identifier: Apache-2.0
// The clients of a daemon: takes connections, greets, reads questions, sends answers, and notices
// the end of a client.
//
//   Connections clients(watch, place.socket(), handler);
//   clients.happened(tag);                       // of Watch::wait(), if clients.owns(tag)
//   clients.answer(client, MessageKind::kDone, Done{ask.id, 1});
//   clients.look_after(now);                     // once a second, and after answers
//
// A client is a process of this user that says Hello. It ends with its socket or its process,
// whichever ends first (pidfd; the socket alone where the kernel lacks it). Its frames are bounded
// in size, and in time: one that does not greet, does not complete a frame or does not read its
// answers within kPatience is dropped. Nobody waits for it. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/units.h"
#include "ipc/descriptor.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/leases.h"
#include "sharing/run/line.h"
#include "sharing/run/watch.h"

namespace ridge::sharing {

/// Time that a client has for a greeting, for the rest of a frame, and to read.
inline constexpr Nanos kPatience{5'000'000'000};
/// Clients at a time.
inline constexpr std::size_t kMostClients = 8192;

/// Tags of a Watch: their kind in the upper bits, a number below.
enum class TagKind : std::uint8_t { kListener, kClient, kClientProcess, kLoad, kFork, kResident };
constexpr std::uint64_t tag_of(TagKind kind, std::uint64_t number) {
  return (static_cast<std::uint64_t>(kind) << 56) | number;
}
constexpr TagKind kind_of(std::uint64_t tag) { return static_cast<TagKind>(tag >> 56); }
constexpr std::uint64_t number_of(std::uint64_t tag) {
  return tag & ((std::uint64_t{1} << 56) - 1);
}

class ClientHandler {
 public:
  virtual ~ClientHandler() = default;
  virtual void asked(ClientId client, const Ask& ask) = 0;
  /// After its last question.
  virtual void gone(ClientId client) = 0;
};

class Connections {
 public:
  Connections(Watch& watch, const ipc::Descriptor& listener, ClientHandler& handler);

  /// Something happened on a listener, a client or its process.
  void happened(std::uint64_t tag, Nanos now);
  /// Queues an answer and sends what can be sent now. Does nothing for a client that is gone.
  template <typename T>
  void answer(ClientId client, MessageKind::Value kind, const T& message,
              std::vector<ipc::Descriptor>&& files = {}) {
    send(client, kind, record::to_binary(message), std::move(files));
  }
  /// Drops clients that are gone or out of time.
  void look_after(Nanos now);
  std::size_t size() const { return clients_.size(); }
  /// Whether a client has something to do in time.
  bool has_deadlines() const { return !pressed_.empty(); }

 private:
  struct Connection {
    Line line;
    ipc::Descriptor process;
    bool greeted = false;
    bool dropped = false;
    bool writes = false;     ///< the watch waits for room to write
    Nanos pressed_since{0};  ///< while it has to greet, to complete a frame or to read
  };
  void accept_all(Nanos now);
  bool accept_one(Nanos now);
  void refuse_for_descriptors();
  void read(ClientId id, Connection& client, Nanos now);
  bool take(ClientId id, Connection& client, const LineFrame& frame);
  bool greet(ClientId id, Connection& client, const LineFrame& frame);
  void fail(ClientId id, Connection& client, const Error& error);
  void send(ClientId id, MessageKind::Value kind, std::string_view payload,
            std::vector<ipc::Descriptor> files);
  void drop(ClientId id, Connection& client);
  void press(ClientId id, Connection& client, Nanos now);

  Watch& watch_;
  const ipc::Descriptor& listener_;
  ClientHandler& handler_;
  ipc::Descriptor spare_;  ///< given up to accept and refuse when there are no descriptors
  std::unordered_map<ClientId, Connection> clients_;
  std::unordered_set<ClientId> pressed_;
  std::vector<ClientId> dropped_;
  ClientId next_ = 1;
};

}  // namespace ridge::sharing
