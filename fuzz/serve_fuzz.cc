// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a request: lines of target, headers as "name: value". What passes the gate has
// a path without steps to other folders, and its query is set as asked or refused with a message.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/list.h"
#include "base/text.h"
#include "check.h"
#include "lab/serve/describe.h"
#include "lab/serve/gate.h"
#include "lab/serve/queries.h"

namespace {

using namespace ridge::lab::serve;
using ridge::fuzz::check;

Request request_of(std::string_view text) {
  Request out;
  for (const std::string_view line : ridge::split(text, "\n")) {
    const std::size_t colon = line.find(": ");
    if (out.method.empty())
      out.method = line.substr(0, 8);
    else if (out.raw_target.empty())
      out.raw_target = line;
    else if (colon != std::string_view::npos)
      out.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  return out;
}

void check_target(const Target& target) {
  for (const std::string& segment : target.segments) {
    check(!segment.empty() && segment != "." && segment != "..");
    check(segment.find_first_of("/\\%") == std::string::npos);
    check(segment.find('\0') == std::string::npos);
    check(ridge::valid_utf8(segment) == segment);
  }
  const auto again = parse_target(
      target.path().find_first_of("?#") == std::string::npos ? target.path() : std::string("/"));
  check(again.ok());
}

template <typename Query>
void check_query(const Request& request) {
  const auto query = query_of<Query>(request);
  check(query.ok() || !query.error().text().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Gate gate("0123", {.hosts = {"a:1"}, .cookie = "ridge-1", .token = "token"});
  Request request = request_of(text);
  const auto target = parse_target(request.raw_target);
  if (target.ok()) check_target(*target);
  const auto refusal = gate.refusal(request);
  if (refusal) return check(refusal->status >= 400 && !refusal->error.text().empty()), 0;
  check(target.ok());
  const auto cookies = request.header("Cookie");
  const auto authorization = request.header("Authorization");
  check(Gate::is_login(request) || (cookies && cookie_value(*cookies, "ridge-1") == "0123") ||
        (authorization && bearer_token(*authorization) == "token"));
  check_query<ListQuery>(request);
  check_query<CompareQuery>(request);
  return 0;
}
