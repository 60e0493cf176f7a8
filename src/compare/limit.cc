// SPDX-License-Identifier: Apache-2.0
#include "compare/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/numeral.h"
#include "base/suggest.h"
#include "base/text.h"

namespace ridge::compare {
namespace {

constexpr std::array<std::string_view, 14> kLimited = {
    "nodes",  "macs",         "flops",      "special",       "int_ops",
    "params", "weight_bytes", "bytes_read", "bytes_written", "peak_activation_bytes",
    "bytes",  "added",        "removed",    "changed"};

Error unreadable_limit(std::string_view text, std::string hint) {
  return usage_error("RIDGE-CMP-0001", fmt::format("'{}' is not a valid limit", text))
      .hint(std::move(hint));
}

struct Sides {
  std::optional<double> a, b;
};

Sides total(std::string_view figure, const Diff& diff) {
  for (const TotalDiff& t : diff.totals) {
    if (t.name != figure) continue;
    const bool known = t.a && t.b;
    return known ? Sides{static_cast<double>(*t.a), static_cast<double>(*t.b)} : Sides{};
  }
  return {};
}

Sides sides_of(std::string_view figure, const Diff& diff) {
  for (const Change change : {Change::kAdded, Change::kRemoved, Change::kChanged})
    if (figure == name(change))
      return {0.0, static_cast<double>(diff.counts[static_cast<std::size_t>(change)])};
  if (figure != "bytes") return total(figure, diff);
  const Sides read = total("bytes_read", diff), written = total("bytes_written", diff);
  if (!read.a || !written.a) return {};
  return {*read.a + *written.a, *read.b + *written.b};
}

std::optional<double> factor(std::string_view suffix) {
  if (suffix.empty()) return 1;
  if (suffix == "%") return 0.01;
  if (suffix == "k") return 1e3;
  if (suffix == "M") return 1e6;
  if (suffix == "G") return 1e9;
  if (suffix == "T") return 1e12;
  return std::nullopt;
}

}  // namespace

Result<Limit> parse_limit(std::string_view text) {
  Limit limit{.text = std::string(text)};
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos)
    return unreadable_limit(text, "write a figure, > or <, and a bound: macs>5%, params>0");
  limit.figure = text.substr(0, sign);
  limit.above = text[sign] == '>';
  if (std::find(kLimited.begin(), kLimited.end(), limit.figure) == kLimited.end()) {
    const auto near = near_names(limit.figure, {kLimited.begin(), kLimited.end()});
    return unreadable_limit(text, near.empty()
                                      ? fmt::format("figures: {}", fmt::join(kLimited, ", "))
                                      : fmt::format("did you mean '{}'?", near[0]));
  }
  const std::string_view bound = text.substr(sign + 1);
  const auto [end, error] = std::from_chars(bound.data(), bound.data() + bound.size(), limit.bound);
  const std::string_view suffix = bound.substr(static_cast<std::size_t>(end - bound.data()));
  const std::optional<double> times = factor(suffix);
  if (error != std::errc() || !times || !std::isfinite(limit.bound))
    return unreadable_limit(text, "the bound is a number, a percentage, or ends in k, M, G or T");
  limit.relative = suffix == "%";
  limit.bound *= *times;
  return limit;
}

std::optional<std::string> violation(const Limit& limit, const Diff& diff) {
  const Sides sides = sides_of(limit.figure, diff);
  if (!sides.a || !sides.b)
    return fmt::format("{}: {} is unknown for at least one of the models", limit.text,
                       limit.figure);
  const double change = *sides.b - *sides.a;
  // A change from zero exceeds any percentage.
  const double measured = !limit.relative ? change
                          : *sides.a != 0 ? change / *sides.a
                          : change == 0   ? 0
                                          : std::copysign(INFINITY, change);
  if (limit.above ? measured <= limit.bound : measured >= limit.bound) return std::nullopt;
  const std::string by = limit.relative && std::isfinite(measured)
                             ? significant(100 * std::abs(measured), 3) + " %"
                             : si(std::abs(change));
  return fmt::format("{}: {} {} by {}, from {} to {}", limit.text, limit.figure,
                     change < 0 ? "fell" : "rose", by, si(*sides.a), si(*sides.b));
}

}  // namespace ridge::compare
