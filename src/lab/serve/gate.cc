// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace ridge::lab::serve {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kShownOfHeader = 60;
constexpr std::string_view kMethods[] = {"GET", "HEAD", "POST", "DELETE"};

std::string shown_header(std::string_view text) { return shorten(printable(text), kShownOfHeader); }

Refusal refused(std::string_view code, std::string message, std::string hint, unsigned status) {
  return {input_error(code, std::move(message)).hint(std::move(hint)), status};
}

}  // namespace

Result<std::string> random_secret() {
  std::array<unsigned char, kSecretBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return environment_error("RIDGE-SERVE-0002", "the system gives no random numbers");
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

bool Gate::is_known(const Request& request) const {
  const auto cookies = request.header("Cookie");
  const auto cookie = cookies ? cookie_value(*cookies, rules_.cookie) : std::nullopt;
  if (cookie && same_secret(*cookie, session_)) return true;
  const auto authorization = request.header("Authorization");
  const auto token = authorization ? bearer_token(*authorization) : std::nullopt;
  return token && !rules_.token.empty() && same_secret(*token, rules_.token);
}

bool Gate::is_login(const Request& request) {
  return request.target.segments.size() == 1 && request.target.segments[0] == kLoginPath;
}

bool Gate::is_style(const Request& request) {
  return !request.writes() && request.target.segments.size() == 1 &&
         request.target.segments[0] == kStylePath;
}

std::optional<Refusal> Gate::refusal(Request& request) const {
  const auto host = request.header("Host");
  if (!host || std::ranges::find(rules_.hosts, *host) == rules_.hosts.end())
    return refused("RIDGE-SERVE-0013",
                   fmt::format("this server is not '{}'", shown_header(host.value_or(""))),
                   fmt::format("ask for http://{}/", rules_.hosts.front()), kMisdirected);
  if (std::ranges::find(kMethods, request.method) == std::end(kMethods))
    return refused("RIDGE-SERVE-0021",
                   fmt::format("the method '{}' is not known", shown_header(request.method)),
                   "GET, HEAD, POST and DELETE are", kMethodNotAllowed);
  auto target = parse_target(request.raw_target);
  if (!target.ok()) return Refusal{std::move(target).error(), kBadRequest};
  request.target = std::move(*target);
  const auto site = request.header("Sec-Fetch-Site");
  const bool foreign =
      request.has_header("Origin") && request.header("Origin").value_or("") != "http://" + *host;
  if (foreign || (request.writes() && site && *site != "same-origin" && *site != "none"))
    return refused("RIDGE-SERVE-0014",
                   fmt::format("a page of '{}' may not ask this server",
                               shown_header(request.header("Origin").value_or("another site"))),
                   fmt::format("open http://{}/ itself", *host), kForbidden);
  if (is_login(request) || is_style(request)) return std::nullopt;
  if (!is_known(request))
    return refused("RIDGE-SERVE-0015", "this browser or program is not known here",
                   "open the one-time address that ridge serve printed, or send the token of "
                   "--token-file: Authorization: Bearer TOKEN",
                   kUnauthorized);
  if (request.writes() && !request.has_header(kWritingHeader))
    return refused(
        "RIDGE-SERVE-0016",
        fmt::format("a request that changes something needs the header {}", kWritingHeader),
        fmt::format("add {}: 1", kWritingHeader), kForbidden);
  return std::nullopt;
}

Result<std::string> Gate::next_key() {
  std::string key = TRY(random_secret());
  const std::lock_guard lock(mutex_);
  key_ = key;
  return key;
}

Result<Answer> Gate::login(const Request& request) {
  std::string key, to = "/";
  for (const auto& [name, value] : request.target.query)
    if (name == "key")
      key = value;
    else if (name == "to" && parse_target(value).ok())
      to = value;
  const std::lock_guard lock(mutex_);
  if (request.method != "GET" || key_.empty() || !same_secret(key, key_))
    return input_error("RIDGE-SERVE-0017", "the one-time address was used already, or is another")
        .hint("ridge serve printed a new one when it was used");
  key_.clear();
  Answer out = Answer::to(std::move(to));
  out.headers.emplace_back("Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                     rules_.cookie, session_));
  return out;
}

}  // namespace ridge::lab::serve
