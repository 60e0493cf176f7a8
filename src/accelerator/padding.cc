// SPDX-License-Identifier: Apache-2.0
#include "accelerator/padding.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "accelerator/form.h"
#include "base/checked.h"
#include "base/list.h"
#include "base/number.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

constexpr std::int64_t kLargest = 65'536;

std::optional<std::int64_t> multiple(std::string_view text) {
  const auto n = whole_number(text);
  return n && *n >= 1 && *n <= kLargest ? n : std::nullopt;
}

/// Parses "16x*x16".
std::optional<PadRule> of_three(std::string_view text) {
  PadRule out;
  for (std::int64_t PadRule::*side : {&PadRule::m, &PadRule::n, &PadRule::k}) {
    const std::size_t sign = side == &PadRule::k ? text.size() : text.find('x');
    if (sign == std::string_view::npos) return std::nullopt;
    const std::string_view part = text.substr(0, sign);
    const auto n = part == "*" ? std::optional<std::int64_t>(1) : multiple(part);
    if (!n) return std::nullopt;
    out.*side = *n;
    text.remove_prefix(std::min(sign + 1, text.size()));
  }
  return out;
}

/// Parses "m16k8": each letter at most once.
std::optional<PadRule> of_letters(std::string_view text) {
  PadRule out;
  std::string_view seen;
  for (const std::string_view all = text; !text.empty();) {
    const char letter = text[0];
    if ((letter != 'm' && letter != 'n' && letter != 'k') ||
        seen.find(letter) != std::string_view::npos)
      return std::nullopt;
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of("mnk"), text.size());
    const auto n = multiple(text.substr(0, end));
    if (!n) return std::nullopt;
    (letter == 'm' ? out.m : letter == 'n' ? out.n : out.k) = *n;
    text.remove_prefix(end);
    seen = all.substr(0, all.size() - text.size());
  }
  return out;
}

std::string side(std::int64_t n) { return n == 1 ? "*" : std::to_string(n); }

std::int64_t rounded_up(std::int64_t n, std::int64_t multiple) {
  return times({ceil_div(n, multiple), multiple});
}

/// Window of `to`, the padded version of `from`.
Window padded_window(const Gemm& from, const Gemm& to) {
  if (from.window == matrix_product(from.m, from.n, from.k).window)
    return matrix_product(to.m, to.n, to.k).window;
  const auto& [depth, height, width] = from.window.axes;
  const std::int64_t positions = times({depth.filter, height.filter, width.filter});
  if (to.k % positions != 0) return matrix_product(to.m, to.n, to.k).window;
  Window out = from.window;
  out.channels = to.k / positions;
  return out;
}

}  // namespace

Result<PadRule> parse_pad(std::string_view text) {
  if (text == "none") return PadRule{};
  const bool digits = !text.empty() && (text[0] == '*' || (text[0] >= '0' && text[0] <= '9'));
  const auto found = digits ? of_three(text) : of_letters(text);
  if (!found || text.empty())
    return usage_error("RIDGE-ACC-0151", fmt::format("invalid padding '{}'", shorten(text, 40)))
        .hint(fmt::format("multiples of M, N and K from 1 to {}: 16x16x16, 16x*x16, k8, m16k8, or "
                          "none",
                          kLargest));
  return *found;
}

Result<std::vector<PadRule>> parse_pads(std::string_view text) {
  std::vector<PadRule> out;
  for (const std::string_view part : split(text)) out.push_back(TRY(parse_pad(part)));
  return out;
}

std::string name(const PadRule& rule) {
  if (rule == PadRule{}) return "none";
  return side(rule.m) + "x" + side(rule.n) + "x" + side(rule.k);
}

Result<Gemm> padded(const Gemm& gemm, const PadRule& rule) {
  Gemm out = gemm;
  out.m = rounded_up(gemm.m, rule.m);
  out.n = rounded_up(gemm.n, rule.n);
  out.k = rounded_up(gemm.k, rule.k);
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (times({out.m, out.n, out.k, out.count}) == kMax)
    return input_error(
        "RIDGE-ACC-0152",
        fmt::format("padded to {}, {}x{}x{} times {} exceeds 2^63 - 1 multiply-accumulates",
                    name(rule), gemm.m, gemm.n, gemm.k, gemm.count));
  out.window = padded_window(gemm, out);
  return out;
}

}  // namespace ridge::accelerator
