// SPDX-License-Identifier: Apache-2.0
#include "profile/drift.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ridge::profile {
namespace {

constexpr double kNoticed = 0.05;

}  // namespace

std::vector<ReferenceRange> reference_ranges(std::span<const ReferenceTime> readings) {
  std::vector<ReferenceRange> out;
  for (const ReferenceTime& t : readings) {
    if (t.ns <= 0) continue;
    const auto known = std::find_if(out.begin(), out.end(),
                                    [&](const ReferenceRange& r) { return r.kernel == t.kernel; });
    ReferenceRange& range =
        known == out.end() ? out.emplace_back(ReferenceRange{t.kernel, t.ns, t.ns}) : *known;
    range.min_ns = std::min(range.min_ns, t.ns);
    range.max_ns = std::max(range.max_ns, t.ns);
  }
  return out;
}

std::string drift_note(std::span<const ReferenceTime> readings) {
  std::vector<std::string> moved;
  for (const ReferenceRange& range : reference_ranges(readings))
    if (range.share() >= kNoticed)
      moved.push_back(fmt::format("{} ({:.0f} %)", text_of(range), 100 * range.share()));
  if (moved.empty()) return "";
  return fmt::format(
      "the machine drifted while this was measured: reference kernels, which do the same work "
      "every "
      "time, took {}",
      fmt::join(moved, ", "));
}

std::string text_of(const ReferenceRange& range) {
  return fmt::format("{} {} to {}", range.kernel, duration(range.min_ns), duration(range.max_ns));
}

}  // namespace ridge::profile
