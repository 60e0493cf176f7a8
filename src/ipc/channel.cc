// SPDX-License-Identifier: Apache-2.0
#include "ipc/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

#include "base/clock.h"

namespace ridge::ipc {
namespace {

constexpr std::uint32_t kMagic = 0x65676472;   // "rdge"
constexpr std::uint32_t kFilesOnly = 0;        // message that only carries files for the next one
constexpr std::size_t kFilesPerMessage = 200;  // SCM_MAX_FD is 253
constexpr std::size_t kWindow = std::size_t{4} << 20;  // growth step of a payload buffer

using Outcome = Received::Outcome;

/// Waits until the descriptor is readable (kMessage), or returns why it is not.
Outcome wait_readable(int fd, Nanos deadline) {
  for (;;) {
    const std::int64_t left = deadline.count - steady_clock().now().count;
    if (left <= 0) return Outcome::kTimeout;
    pollfd poll_fd{fd, POLLIN, 0};
    const std::int64_t millis = std::min<std::int64_t>(left / 1'000'000 + 1, 1'000'000);
    const int ready = ::poll(&poll_fd, 1, static_cast<int>(millis));
    if (ready > 0) return Outcome::kMessage;
    if (ready < 0 && errno != EINTR) return Outcome::kClosed;
  }
}

void keep_files(const msghdr& message, std::vector<Descriptor>& files) {
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

struct Channel::Header {
  std::uint32_t magic = kMagic;
  std::uint32_t kind = 0;
  std::uint64_t size = 0;
};

bool Channel::send_bytes(const void* data, std::size_t size, const int* files, std::size_t count) {
  const char* at = static_cast<const char*>(data);
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kFilesPerMessage * sizeof(int))> control{};
  while (size > 0) {
    iovec part{const_cast<char*>(at), size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (count > 0) {
      message.msg_control = control.data();
      message.msg_controllen = CMSG_SPACE(count * sizeof(int));
      cmsghdr* c = CMSG_FIRSTHDR(&message);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(count * sizeof(int));
      std::memcpy(CMSG_DATA(c), files, count * sizeof(int));
    }
    const ssize_t sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    count = 0;  // the files were sent with the first byte
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

Result<void> Channel::send(std::uint32_t kind, const std::string& payload,
                           const std::vector<int>& files) {
  bool sent = true;
  for (std::size_t i = 0; sent && i < files.size(); i += kFilesPerMessage) {
    const Header header{kMagic, kFilesOnly, 0};
    sent = send_bytes(&header, sizeof(header), &files[i],
                      std::min(kFilesPerMessage, files.size() - i));
  }
  const Header header{kMagic, kind, payload.size()};
  sent = sent && send_bytes(&header, sizeof(header), nullptr, 0) &&
         send_bytes(payload.data(), payload.size(), nullptr, 0);
  if (sent) return {};
  return environment_error("RIDGE-RT-0031", "the other process is gone");
}

Outcome Channel::read_header(Nanos deadline, Header& header, std::vector<Descriptor>& files) {
  char* at = reinterpret_cast<char*>(&header);
  std::size_t left = sizeof(header);
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kFilesPerMessage * sizeof(int))> control{};
  while (left > 0) {
    if (const Outcome ready = wait_readable(socket_.get(), deadline); ready != Outcome::kMessage) {
      return ready;
    }
    iovec part{at, left};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Outcome::kClosed;
    keep_files(message, files);
    at += got;
    left -= static_cast<std::size_t>(got);
  }
  const bool ours = header.magic == kMagic && header.size <= kLimit && files.size() <= kMaxFiles;
  return ours ? Outcome::kMessage : Outcome::kGarbage;
}

Outcome Channel::read_payload(Nanos deadline, std::uint64_t size, std::string& payload) {
  while (payload.size() < size) {
    const std::size_t have = payload.size();
    payload.resize(have + std::min<std::size_t>(size - have, kWindow));
    for (std::size_t at = have; at < payload.size();) {
      if (const Outcome ready = wait_readable(socket_.get(), deadline);
          ready != Outcome::kMessage) {
        return ready;
      }
      const ssize_t got = ::recv(socket_.get(), &payload[at], payload.size() - at, MSG_DONTWAIT);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) return Outcome::kClosed;
      at += static_cast<std::size_t>(got);
    }
  }
  return Outcome::kMessage;
}

bool Channel::readable(Nanos deadline) const {
  return wait_readable(socket_.get(), deadline) != Outcome::kTimeout;
}

Received Channel::receive(Nanos deadline) {
  Received received;
  Header header;
  do {
    received.outcome = read_header(deadline, header, received.message.files);
    if (received.outcome != Outcome::kMessage) return received;
  } while (header.kind == kFilesOnly);
  received.message.kind = header.kind;
  received.outcome = read_payload(deadline, header.size, received.message.payload);
  return received;
}

}  // namespace ridge::ipc
