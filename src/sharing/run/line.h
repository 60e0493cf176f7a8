// SPDX-License-Identifier: Apache-2.0
// One end of a socket between a daemon and a client: frames with open files, without blocking.
//
//   Line line(std::move(socket), {.most_payload = 64 << 10});
//   line.send(MessageKind::kGrant, record::to_binary(grant), std::move(files));
//   if (line.write() == Line::State::kClosed) ...        // when the socket is writable
//   line.read();                                          // when it is readable
//   while (auto frame = line.next()) use(*frame);
//   if (line.state() != Line::State::kOpen) ...
//
// A frame states its kind, its length and the number of its files, which are checked before memory
// is taken. What is read at once and what waits to be sent are bounded. Ownership: owns the socket,
// and files until they are sent. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "ipc/descriptor.h"

namespace ridge::sharing {

struct LineFrame {
  std::uint16_t kind = 0;
  std::string payload;
  std::vector<ipc::Descriptor> files;
};

struct LineLimits {
  std::size_t most_payload = std::size_t{64} << 10;  ///< limit of frames that are read
  std::size_t most_files = 0;                        ///< limit of frames that are read
};

class Line {
 public:
  enum class State : std::uint8_t {
    kOpen,
    kClosed,   ///< the other side is gone
    kGarbage,  ///< it sent what is no frame, or more than is allowed; it can still be told so
  };
  /// Bytes that one frame may wait with, and all of them.
  static constexpr std::size_t kMostQueued = std::size_t{8} << 20;
  static constexpr std::size_t kMostFiles = 64;

  Line() = default;
  /// `socket` does not block.
  Line(ipc::Descriptor socket, LineLimits limits) : socket_(std::move(socket)), limits_(limits) {}

  /// Reads what is there, at most 64 KiB, so that nobody is read for long. Frames that came before
  /// the end are still given out.
  State read();
  /// A complete frame; nullopt: more bytes are needed, or there will be none.
  std::optional<LineFrame> next();
  /// Queues a frame. One that does not fit any more closes the line: the other side reads nothing.
  void send(std::uint16_t kind, std::string_view payload, std::vector<ipc::Descriptor> files = {});
  /// Sends what can be sent now.
  State write();

  State state() const { return state_; }
  int descriptor() const { return socket_.get(); }
  bool has_queued() const { return !queued_.empty(); }
  /// Whether a frame has begun and is not complete.
  bool half() const { return !bytes_.empty(); }

 private:
  struct Queued {
    std::string bytes;
    std::size_t sent = 0;
    std::vector<ipc::Descriptor> files;  ///< until the first byte is sent
  };
  bool receive();
  ssize_t send_some(Queued& queued);

  ipc::Descriptor socket_;
  LineLimits limits_;
  State state_ = State::kOpen;
  bool deaf_ = false;  ///< the other side reads no more
  std::string bytes_;
  std::deque<ipc::Descriptor> files_;
  std::deque<Queued> queued_;
  std::size_t queued_bytes_ = 0;
};

/// Waits until the line can be read, and sends what is queued meanwhile; false at the deadline.
bool wait_for(Line& line, Nanos deadline);

/// The next frame, by the deadline; nullopt: there is none, and the state says why if not for time.
std::optional<LineFrame> receive_frame(Line& line, Nanos deadline);

}  // namespace ridge::sharing
