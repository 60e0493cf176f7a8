#include "machine/ceiling.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::machine {
namespace {

bool same_roof(const Ceiling& a, const Ceiling& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.level == b.level && a.threads == b.threads;
}

}  // namespace

std::string warning(const Ceiling& c) {
  if (!c.share || (*c.share >= 0.70 && *c.share <= 1.05)) return "";
  return *c.share < 0.70
             ? fmt::format(
                   "only {:.0f} % of its theory: other load, shared cores or a lowered clock",
                   100 * *c.share)
             : fmt::format(
                   "{:.0f} % of its theory: the clock changed meanwhile, or the table of "
                   "microarchitectures is wrong for this processor",
                   100 * *c.share);
}

std::vector<Ceiling> better_of(std::vector<Ceiling> a, const std::vector<Ceiling>& b) {
  for (const Ceiling& c : b) {
    const auto at =
        std::find_if(a.begin(), a.end(), [&](const Ceiling& x) { return same_roof(x, c); });
    if (at == a.end()) {
      a.push_back(c);
      continue;
    }
    const std::int64_t reach = std::max(at->reach, c.reach);
    if (c.value > at->value) *at = c;
    at->reach = reach;
  }
  return a;
}

}  // namespace ridge::machine
