// SPDX-License-Identifier: Apache-2.0
#include "machine/roof.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::machine {
namespace {

bool same_roof(const Roof& a, const Roof& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.level == b.level && a.threads == b.threads;
}

}  // namespace

std::optional<double> share_of_theory(const Roof& roof) {
  if (!roof.theory || *roof.theory <= 0) return std::nullopt;
  return roof.value / *roof.theory;
}

std::string warning(const MeasuredRoof& roof) {
  const std::optional<double> share = share_of_theory(roof);
  if (!share || (*share >= 0.70 && *share <= 1.05)) return "";
  return *share < 0.70
             ? fmt::format(
                   "only {:.0f} % of its theory: other load, shared cores or a lowered clock",
                   100 * *share)
             : fmt::format(
                   "{:.0f} % of its theory: the clock changed meanwhile, or the table of "
                   "microarchitectures is wrong for this processor",
                   100 * *share);
}

std::vector<MeasuredRoof> better_of(std::vector<MeasuredRoof> a,
                                    const std::vector<MeasuredRoof>& b) {
  for (const MeasuredRoof& roof : b) {
    const auto at =
        std::find_if(a.begin(), a.end(), [&](const Roof& x) { return same_roof(x, roof); });
    if (at == a.end()) {
      a.push_back(roof);
      continue;
    }
    const std::int64_t reach = std::max(at->reach, roof.reach);
    if (roof.value > at->value) *at = roof;
    at->reach = reach;
  }
  return a;
}

}  // namespace ridge::machine
