// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/share/policy_flag.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cli/flags/duration.h"

namespace ridge::cli {
namespace {

using sharing::PolicyKind;
using sharing::PolicySpec;

Error bad_policy(std::string_view flag, std::string_view text) {
  return usage_error("RIDGE-CLI-0300", fmt::format("{}: invalid policy '{}'", flag, text))
      .hint(fmt::format("choose from {}; ttl:10m has a time of its own, histogram:prewarm loads "
                        "ahead",
                        fmt::join(words<PolicyKind>(), ", ")));
}

}  // namespace

NamedWord named_word(std::string_view text) {
  const std::size_t at = text.find(':');
  if (at == std::string_view::npos) return {text, "", false};
  return {text.substr(0, at), text.substr(at + 1), true};
}

Result<PolicySpec> parse_policy(std::string_view flag, std::string_view text) {
  const NamedWord name = named_word(text);
  const auto kind = find_word<PolicyKind>(name.name);
  if (!kind) return bad_policy(flag, text);
  PolicySpec out{.kind = *kind};
  if (!name.colon) return out;
  if (*kind == PolicyKind::kTtl) {
    const Result<double> seconds = parse_duration(flag, name.rest);
    if (!seconds.ok()) return bad_policy(flag, text);
    out.ttl = Nanos{std::llround(*seconds * 1e9)};
  } else if (*kind == PolicyKind::kHistogram && name.rest == "prewarm") {
    out.histogram.prewarm = true;
  } else {
    return bad_policy(flag, text);
  }
  return out;
}

}  // namespace ridge::cli
