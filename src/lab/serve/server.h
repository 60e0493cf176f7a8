// SPDX-License-Identifier: Apache-2.0
// A run database as pages and as an API, over HTTP, for those who may.
//
//   auto server = TRY(Server::start({.store = "runs.db", .endpoint = {"127.0.0.1", 8080}}));
//   while (!stopped) {
//     if (const auto address = server->new_address()) print(*address);   // one-time addresses
//     sleep();
//   }
//
// Listens on loopback alone, unless there is a token. The first one-time address, and another
// whenever one was used, logs a browser in by a cookie; programs send the token. The store is
// opened for reading, anew for each thread of the server; a run that another program keeps
// meanwhile is there at the next request. Ends with the object. Thread rule: one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/serve/listener.h"
#include "lab/serve/push/trace_pusher.h"

namespace ridge::lab::serve {

struct ServerOptions {
  std::string store;
  std::string registry;  ///< folder of the models; "": none
  Endpoint endpoint;
  std::vector<std::string> names;  ///< further names by which it is asked: "lab.example:8080"
  std::string token;               ///< "": none
  bool allow_run = false;          ///< clients may start measurements
  std::string otlp;                ///< collector of the traces of their runs; "": none
  /// Told what was not pushed, from a thread of the server and by its end.
  Warn warn = [](const Error&) {};
};

/// Fewest characters of a token.
inline constexpr std::size_t kShortestToken = 16;

class Server {
 public:
  /// Errors: as Store::open and Listener; usage class: another address without a token
  /// (RIDGE-SERVE-0005), a token that is too short (RIDGE-SERVE-0006), as parse_collector(), a
  /// collector without measurements (RIDGE-SERVE-0043).
  static Result<std::unique_ptr<Server>> start(ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  /// "http://127.0.0.1:8080/"
  virtual std::string address() const = 0;
  /// A one-time address that was not given yet; nullopt while the last one is unused.
  virtual std::optional<std::string> new_address() = 0;

 protected:
  Server() = default;
};

/// The token in a file, which only its owner may read. Errors: as reading; environment class
/// (RIDGE-SERVE-0007): others may read it.
Result<std::string> read_token(const std::string& path);

}  // namespace ridge::lab::serve
