// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/load_flags.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "base/list.h"
#include "base/number.h"
#include "cli/flags/duration.h"

namespace ridge::cli {
namespace {

using scenario::Batching;

Error bad_batching(std::string_view text) {
  return usage_error("RIDGE-CLI-0180", fmt::format("--batching '{}' is invalid", text))
      .hint(
          "write the largest batch, and how long its first query waits: max=8,wait=2ms; the "
          "sizes that can be run as sizes=1/4/8");
}

Result<void> set(std::string_view key, std::string_view value, std::string_view text,
                 Batching& out) {
  if (key == "max") {
    const auto most = whole_number<std::uint32_t>(value);
    if (!most) return bad_batching(text);
    out.most = *most;
  } else if (key == "wait") {
    const double seconds = value == "0" ? 0 : TRY(parse_duration("--batching wait=", value));
    out.wait = Nanos{std::llround(seconds * 1e9)};
  } else if (key == "sizes") {
    for (const std::string_view item : items(value, "/")) {
      const auto size = whole_number<std::uint32_t>(item);
      if (!size) return bad_batching(text);
      out.sizes.push_back(*size);
    }
  } else {
    return bad_batching(text);
  }
  return {};
}

}  // namespace

Result<std::optional<Batching>> parse_batching(const std::string& text) {
  if (text.empty()) return std::optional<Batching>();
  Batching out{.most = 0, .wait = Nanos{0}, .sizes = {}};
  for (const std::string_view item : items(text)) {
    const std::size_t equals = std::min(item.find('='), item.size());
    TRY(set(item.substr(0, equals), item.substr(std::min(equals + 1, item.size())), text, out));
  }
  if (out.most == 0 && !out.sizes.empty()) out.most = out.sizes.back();
  if (out.most == 0) return bad_batching(text);
  TRY(scenario::check(out));
  return std::optional(std::move(out));
}

Result<MixedShare> parse_mix(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto share = equals == std::string::npos || equals == 0
                         ? std::nullopt
                         : finite_number(std::string_view(text).substr(equals + 1));
  if (!share || !(*share > 0 && *share < 1))
    return usage_error("RIDGE-CLI-0181", fmt::format("--mix '{}' is invalid", text))
        .hint(
            "write another model and its share of the queries, between 0 and 1: "
            "--mix other.onnx=0.3");
  return MixedShare{text.substr(0, equals), *share};
}

Result<void> set_warmup(const std::string& text, scenario::Scenario& scenario) {
  if (text.empty()) return {};
  if (const auto queries = whole_number<std::uint64_t>(text)) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 26;
    if (*queries == 0 || *queries > kMax)
      return usage_error("RIDGE-CLI-0182", fmt::format("--warmup '{}' is invalid", text))
          .hint("write a time or a number of queries: --warmup 2s, --warmup 500");
    scenario.warmup_queries = *queries;
    return {};
  }
  scenario.warmup_duration = Nanos{std::llround(TRY(parse_duration("--warmup", text)) * 1e9)};
  return {};
}

}  // namespace ridge::cli
