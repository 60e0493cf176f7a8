// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/collector.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"

namespace ridge::lab::serve {
namespace {

constexpr std::size_t kLongestUrl = 2048, kLongestHost = 253, kShownOfUrl = 80;
constexpr std::string_view kHttp = "http://", kHttps = "https://", kOtlpPath = "/v1/traces";
constexpr const char* kCollectorExample = "write http://HOST:PORT, such as http://127.0.0.1:4318";

Error no_collector(std::string_view url, std::string_view why) {
  return usage_error("RIDGE-SERVE-0040", fmt::format("'{}' is no address of a collector",
                                                     shorten(printable(url), kShownOfUrl)))
      .evidence(std::string(why))
      .hint(kCollectorExample);
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_name(std::string_view host) {
  return !host.empty() && host.size() <= kLongestHost && is_letter_or_digit(host.front()) &&
         std::ranges::all_of(host, [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
         });
}

bool is_ipv6(const std::string& host) {
  in6_addr bytes{};
  return ::inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

bool is_visible(char c) { return c > ' ' && c < 0x7f; }

}  // namespace

std::string Collector::authority() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

std::string Collector::text() const { return fmt::format("{}{}{}", kHttp, authority(), path); }

Result<Collector> parse_collector(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  const std::string_view whole_authority =
      scheme_end == std::string_view::npos ? url : url.substr(scheme_end + 3);
  if (whole_authority.substr(0, whole_authority.find_first_of("/?#")).find('@') !=
      std::string_view::npos)
    return usage_error("RIDGE-SERVE-0042", "the address of a collector has a name or a password")
        .hint("let a collector on this machine have the credentials, and push to that");
  if (url.starts_with(kHttps))
    return usage_error("RIDGE-SERVE-0041", "traces are pushed by http:// alone")
        .hint("run a collector on this machine, http://127.0.0.1:4318, which sends them on by TLS");
  if (!url.starts_with(kHttp)) return no_collector(url, "it does not begin with http://");
  if (url.size() > kLongestUrl || !std::ranges::all_of(url, is_visible))
    return no_collector(
        url, fmt::format("at most {} visible characters of ASCII are expected", kLongestUrl));
  if (url.find('#') != std::string_view::npos) return no_collector(url, "it has a fragment");

  const std::string_view rest = url.substr(kHttp.size());
  const std::size_t slash = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, slash), path = rest.substr(slash);
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.ends_with(']'))
    return no_collector(url, "it has no port");
  const auto port = whole_number<std::uint16_t>(authority.substr(colon + 1));
  if (!port || *port == 0) return no_collector(url, "a port from 1 to 65535 is expected");

  Collector out{.host = std::string(authority.substr(0, colon)), .port = *port, .path = {}};
  const bool bracketed = out.host.starts_with('[') && out.host.ends_with(']');
  if (bracketed) out.host = out.host.substr(1, out.host.size() - 2);
  if (bracketed ? !is_ipv6(out.host) : !is_name(out.host))
    return no_collector(url, "a name, or an address of IPv4 or, in brackets, of IPv6 is expected");
  if (path.starts_with('?')) return no_collector(url, "a query without a path");
  out.path = path.empty() || path == "/" ? kOtlpPath : path;
  return out;
}

}  // namespace ridge::lab::serve
