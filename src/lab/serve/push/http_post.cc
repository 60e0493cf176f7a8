// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/http_post.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "base/version.h"
#include "ipc/descriptor.h"

namespace ridge::lab::serve {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollEvery{100};
constexpr std::size_t kReceiveBlock = 4096;

std::string system_text(int code) { return std::generic_category().message(code); }

/// A connection, or why there is none.
struct Connected {
  ipc::Descriptor socket;
  Posted failed;
};

Posted no_connection(std::string why) { return {PostOutcome::kUnreachable, {}, std::move(why)}; }

/// Waits for `events`; the outcome is kAnswered once they are there.
Posted wait_for(int socket, short events, SteadyClock::time_point until, std::string_view limit,
                const Stopped& stopped) {
  while (true) {
    if (stopped()) return {PostOutcome::kStopped, {}, "the server ends"};
    pollfd asked{.fd = socket, .events = events, .revents = 0};
    if (::poll(&asked, 1, static_cast<int>(kPollEvery.count())) > 0)
      return {PostOutcome::kAnswered, {}, {}};
    if (SteadyClock::now() >= until) return no_connection(std::string(limit));
  }
}

Connected connect_to(const addrinfo& address, const Stopped& stopped) {
  ipc::Descriptor socket(
      ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return {{}, no_connection(system_text(errno))};
  int error = 0;
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0) error = errno;
  if (error == EINPROGRESS) {
    Posted waited =
        wait_for(socket.get(), POLLOUT, SteadyClock::now() + kConnectLimit,
                 fmt::format("no connection within {} s", kConnectLimit.count()), stopped);
    if (waited.outcome != PostOutcome::kAnswered) return {{}, std::move(waited)};
    socklen_t size = sizeof(error);
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error != 0) return {{}, no_connection(system_text(error))};
  return {std::move(socket), {}};
}

/// To the first address of the host that takes a connection.
Connected connect_to(const Collector& collector, const Stopped& stopped) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code =
      ::getaddrinfo(collector.host.c_str(), std::to_string(collector.port).c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(code == 0 ? found : nullptr,
                                                                 [](addrinfo* list) {
                                                                   if (list != nullptr)
                                                                     ::freeaddrinfo(list);
                                                                 });
  Connected out;
  out.failed = no_connection(code == 0 ? "the host has no address" : ::gai_strerror(code));
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    out = connect_to(*one, stopped);
    if (out.socket.is_open() || out.failed.outcome == PostOutcome::kStopped) break;
  }
  return out;
}

class Exchange {
 public:
  Exchange(int socket, const Stopped& stopped) : socket_(socket), stopped_(stopped) {}

  /// The outcome is kAnswered once all is sent.
  Posted send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n > 0) {
        text.remove_prefix(static_cast<std::size_t>(n));
      } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        // A collector that refuses early answers before it ends the connection.
        return {PostOutcome::kAnswered, {}, {}};
      } else if (Posted ready = wait(POLLOUT); ready.outcome != PostOutcome::kAnswered) {
        return ready;
      }
    }
    return {PostOutcome::kAnswered, {}, {}};
  }

  Posted receive() {
    std::string received;
    std::array<char, kReceiveBlock> block{};
    while (true) {
      if (Posted ready = wait(POLLIN); ready.outcome != PostOutcome::kAnswered) return ready;
      const ssize_t n = ::recv(socket_, block.data(), block.size(), 0);
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (n < 0) return no_connection(system_text(errno));
      received.append(block.data(), static_cast<std::size_t>(n));
      ParsedAnswer parsed = parse_answer(received, n == 0);
      if (parsed.state == AnswerState::kWhole)
        return {PostOutcome::kAnswered, std::move(parsed.answer), {}};
      if (parsed.state == AnswerState::kCut) return no_connection(std::move(parsed.why));
      if (parsed.state == AnswerState::kBad)
        return {PostOutcome::kNoAnswer, {}, "no answer of HTTP: " + std::move(parsed.why)};
    }
  }

 private:
  Posted wait(short events) const {
    static const std::string kLimit =
        fmt::format("no whole answer within {} s", kAnswerLimit.count());
    // A side that never stops sending is never waited for, and must end as well.
    if (SteadyClock::now() >= until_) return no_connection(kLimit);
    return wait_for(socket_, events, until_, kLimit, stopped_);
  }

  int socket_;
  const Stopped& stopped_;
  const SteadyClock::time_point until_ = SteadyClock::now() + kAnswerLimit;
};

}  // namespace

Posted post_json(const Collector& collector, std::string_view body, const Stopped& stopped) {
  Connected connected = connect_to(collector, stopped);
  if (!connected.socket.is_open()) return std::move(connected.failed);
  Exchange exchange(connected.socket.get(), stopped);
  const std::string header = fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: ridge/{}\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\nConnection: close\r\n\r\n",
      collector.path, collector.authority(), version(), body.size());
  for (const std::string_view part : {std::string_view(header), body})
    if (Posted sent = exchange.send(part); sent.outcome != PostOutcome::kAnswered) return sent;
  return exchange.receive();
}

}  // namespace ridge::lab::serve
