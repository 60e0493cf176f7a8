// SPDX-License-Identifier: Apache-2.0
// Messages over a socket pair between two processes: a kind, bytes, and open files.
//
//   Channel channel(std::move(fd));
//   TRY(channel.send(Kind::kLoad, payload, {model_fd}));
//   Received answer = channel.receive(deadline);
//
// Bounded: a message states its length and is refused above kLimit; memory grows as bytes arrive,
// not with the stated length. Thread rule: one thread per direction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/descriptor.h"

namespace ridge::ipc {

struct Message {
  std::uint32_t kind = 0;  ///< defined by the protocol
  std::string payload;
  std::vector<Descriptor> files;
};

struct Received {
  enum class Outcome {
    kMessage,
    kClosed,   ///< the other side is gone
    kTimeout,  ///< no complete message by the deadline
    kGarbage,  ///< not this protocol
  };
  Outcome outcome = Outcome::kClosed;
  Message message;
};

class Channel {
 public:
  static constexpr std::uint64_t kLimit = std::uint64_t{2} << 30;
  static constexpr std::size_t kMaxFiles = 100'000;

  Channel() = default;
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}

  /// Sends one message. `files` remain owned by the caller. Environment error if the other side is
  /// gone.
  Result<void> send(std::uint32_t kind, const std::string& payload,
                    const std::vector<int>& files = {});
  /// True if something can be read or the other side is gone; false at the deadline
  /// (CLOCK_MONOTONIC).
  bool readable(Nanos deadline) const;
  /// Waits until the deadline for a complete message.
  Received receive(Nanos deadline);

  int descriptor() const { return socket_.get(); }
  void close() { socket_.reset(); }

 private:
  struct Header;
  bool send_bytes(const void* data, std::size_t size, const int* files, std::size_t count);
  Received::Outcome read_header(Nanos deadline, Header& header, std::vector<Descriptor>& files);
  Received::Outcome read_payload(Nanos deadline, std::uint64_t size, std::string& payload);

  Descriptor socket_;
};

}  // namespace ridge::ipc
