// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 on a socket, within limits: what a client sends is bounded in size, number and time
// before the handler sees it.
//
//   auto listener = TRY(Listener::open({.address = "127.0.0.1", .port = 8080}));
//   listener->endpoint().port;                         // the one that was taken, for port 0
//   TRY(listener->start(handler));
//
// A request line and headers of more than kHeaderBytes, a body of more than the handler takes, and
// a connection that is silent for kSilentSeconds are ended; there are at most kConnections. Half
// requests cost a connection each, and no thread. Ownership: borrows the handler, which outlives
// it. Thread rule: the handler is called from kThreads threads at the same time. Cost: 0.1 ms a
// request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "lab/serve/exchange.h"

namespace ridge::lab::serve {

inline constexpr std::size_t kHeaderBytes = std::size_t{32} << 10;
inline constexpr std::size_t kBodyBytes = std::size_t{1} << 20;
inline constexpr unsigned kConnections = 512;
inline constexpr unsigned kSilentSeconds = 10;
inline constexpr unsigned kThreads = 4;

class Handler {
 public:
  virtual ~Handler() = default;
  /// Once the headers are there. An answer ends the request before its body is read.
  virtual std::optional<Answer> admit(Request& request) = 0;
  /// Bytes that the body of an admitted request may have.
  virtual std::size_t largest_body(const Request&) { return kBodyBytes; }
  /// Once the body is there.
  virtual Answer answer(const Request& request) = 0;
};

struct Endpoint {
  std::string address;     ///< address of IPv4 or IPv6: "127.0.0.1", "::1"
  std::uint16_t port = 0;  ///< 0: one that is free

  /// "127.0.0.1:8080", "[::1]:8080"
  std::string text() const;
  /// Whether other machines cannot reach it. Error: it is no address (RIDGE-SERVE-0003).
  Result<bool> is_loopback() const;
};

class Listener {
 public:
  /// Errors: environment class: the library is absent, the address cannot be used.
  static Result<std::unique_ptr<Listener>> open(const Endpoint& endpoint);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// With the port that was taken.
  virtual const Endpoint& endpoint() const = 0;
  virtual Result<void> start(Handler& handler) = 0;

 protected:
  Listener() = default;
};

}  // namespace ridge::lab::serve
