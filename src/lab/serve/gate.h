// SPDX-License-Identifier: Apache-2.0
// Who may ask what: every request passes here before anything else looks at it.
//
//   Gate gate(TRY(random_secret()), {.hosts = {"127.0.0.1:8080"}, .cookie = "ridge-8080"});
//   std::string key = TRY(gate.next_key());     // printed: http://127.0.0.1:8080/login?key=...
//   if (auto refusal = gate.refusal(request)) ...
//
// In this order: the Host must be the server's own name (a page that rebinds its name to this
// address is no longer the server); the method and the path must be ones that exist; an Origin must
// be the server's own; the session cookie or the token must be right, except for the one-time
// address and for the style sheet, which says nothing of a store and which pages of refusals need;
// a request that writes must have a header that no form can send. Thread rule: any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/serve/exchange.h"

namespace ridge::lab::serve {

/// Header of requests that write, with whatever value.
inline constexpr std::string_view kWritingHeader = "X-Ridge-Request";
/// Path of the one-time address.
inline constexpr std::string_view kLoginPath = "login";
inline constexpr std::string_view kStylePath = "style.css";

/// 64 hexadecimal digits from the system's source of randomness.
Result<std::string> random_secret();

struct GateRules {
  std::vector<std::string> hosts;  ///< with the port: "127.0.0.1:8080"
  std::string cookie;              ///< its name, one for each port
  std::string token;               ///< token of programs, beside the cookie; "": none
};

struct Refusal {
  Error error;
  unsigned status;
};

class Gate {
 public:
  Gate(std::string session, GateRules rules)
      : session_(std::move(session)), rules_(std::move(rules)) {}

  /// Fills in the target. nullopt: the request may go on.
  std::optional<Refusal> refusal(Request& request) const;

  /// A new key for a one-time address, in place of the last one.
  Result<std::string> next_key();
  /// Whether the request is for the one-time address, which needs no session.
  static bool is_login(const Request& request);
  /// Uses up the key: the cookie, and the way to the first page, or to the path `to` of the query.
  /// Error: the key is not, or no longer, valid (RIDGE-SERVE-0017).
  Result<Answer> login(const Request& request);

 private:
  bool is_known(const Request& request) const;
  static bool is_style(const Request& request);

  const std::string session_;
  const GateRules rules_;
  std::mutex mutex_;
  std::string key_;  ///< "": used up
};

}  // namespace ridge::lab::serve
