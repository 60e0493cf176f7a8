// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/line.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/clock.h"

namespace ridge::sharing {
namespace {

constexpr std::uint32_t kLineMagic = 0x72687372;  // "rshr"
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;

struct LineHeader {
  std::uint32_t magic = kLineMagic;
  std::uint16_t kind = 0;
  std::uint16_t files = 0;
  std::uint32_t bytes = 0;
};
static_assert(sizeof(LineHeader) == 12, "no padding crosses the socket");

constexpr std::size_t kControlBytes = CMSG_SPACE(Line::kMostFiles * sizeof(int));

void take_files(const msghdr& message, std::deque<ipc::Descriptor>& files) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr;
       c = CMSG_NXTHDR(const_cast<msghdr*>(&message), c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
      files.emplace_back(fd);
    }
  }
}

}  // namespace

/// One call of recvmsg; false if nothing more can be read now.
bool Line::receive() {
  std::array<char, 16 << 10> buffer;
  // Without room for descriptors the kernel closes those that come.
  alignas(cmsghdr) std::array<char, kControlBytes> control{};
  iovec part{buffer.data(), buffer.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (limits_.most_files > 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
  const ssize_t got = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (got > 0) {
    take_files(message, files_);
    bytes_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
  }
  if (got == 0 || (errno != EINTR && errno != EAGAIN)) state_ = State::kClosed;
  return got < 0 && errno == EINTR;
}

Line::State Line::read() {
  const std::size_t before = bytes_.size();
  while (state_ == State::kOpen && bytes_.size() < before + kReadAtOnce && receive()) continue;
  return state_;
}

std::optional<LineFrame> Line::next() {
  LineHeader header;
  if (state_ == State::kGarbage || bytes_.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.magic != kLineMagic || header.bytes > limits_.most_payload ||
      header.files > limits_.most_files) {
    state_ = State::kGarbage;
    return std::nullopt;
  }
  if (bytes_.size() - sizeof header < header.bytes) return std::nullopt;
  if (files_.size() < header.files) {  // they come with the first byte
    state_ = State::kGarbage;
    return std::nullopt;
  }
  LineFrame frame{header.kind, bytes_.substr(sizeof header, header.bytes), {}};
  bytes_.erase(0, sizeof header + header.bytes);
  for (std::size_t i = 0; i < header.files; ++i) {
    frame.files.push_back(std::move(files_.front()));
    files_.pop_front();
  }
  return frame;
}

void Line::send(std::uint16_t kind, std::string_view payload, std::vector<ipc::Descriptor> files) {
  if (state_ == State::kClosed || deaf_) return;
  const std::size_t size = sizeof(LineHeader) + payload.size();
  if (queued_bytes_ + size > kMostQueued || files.size() > kMostFiles) {
    state_ = State::kClosed;
    return;
  }
  const LineHeader header{kLineMagic, kind, static_cast<std::uint16_t>(files.size()),
                          static_cast<std::uint32_t>(payload.size())};
  Queued& queued = queued_.emplace_back();
  queued.bytes.assign(reinterpret_cast<const char*>(&header), sizeof header);
  queued.bytes += payload;
  queued.files = std::move(files);
  queued_bytes_ += size;
}

ssize_t Line::send_some(Queued& queued) {
  alignas(cmsghdr) std::array<char, kControlBytes> control{};
  iovec part{&queued.bytes[queued.sent], queued.bytes.size() - queued.sent};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!queued.files.empty()) {
    const std::size_t bytes = queued.files.size() * sizeof(int);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(bytes);
    for (std::size_t i = 0; i < queued.files.size(); ++i) {
      const int fd = queued.files[i].get();
      std::memcpy(CMSG_DATA(c) + i * sizeof(int), &fd, sizeof(int));
    }
  }
  return ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

Line::State Line::write() {
  while (state_ != State::kClosed && !queued_.empty()) {
    Queued& queued = queued_.front();
    const ssize_t sent = send_some(queued);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) break;
    if (sent <= 0) {  // what it said before can still be read
      deaf_ = true;
      queued_.clear();
      queued_bytes_ = 0;
      break;
    }
    queued.files.clear();
    queued.sent += static_cast<std::size_t>(sent);
    if (queued.sent < queued.bytes.size()) continue;
    queued_bytes_ -= queued.bytes.size();
    queued_.pop_front();
  }
  return state_;
}

bool wait_for(Line& line, Nanos deadline) {
  while (line.state() == Line::State::kOpen) {
    line.write();
    const std::int64_t left = deadline.count - steady_clock().now().count;
    if (left <= 0) return false;
    pollfd on{line.descriptor(), POLLIN, 0};
    if (line.has_queued()) on.events |= POLLOUT;
    const std::int64_t millis = std::min<std::int64_t>(left / 1'000'000 + 1, 1'000'000);
    const int ready = ::poll(&on, 1, static_cast<int>(millis));
    if (ready > 0 && (on.revents & ~POLLOUT) != 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return true;
}

std::optional<LineFrame> receive_frame(Line& line, Nanos deadline) {
  for (;;) {
    if (auto frame = line.next()) return frame;
    if (line.state() != Line::State::kOpen || !wait_for(line, deadline)) return std::nullopt;
    line.read();
  }
}

}  // namespace ridge::sharing
