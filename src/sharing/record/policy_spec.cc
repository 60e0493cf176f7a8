// SPDX-License-Identifier: Apache-2.0
#include "sharing/record/policy_spec.h"

#include <fmt/format.h>

namespace ridge::sharing {

std::string policy_text(const PolicySpec& spec) {
  const std::string_view kind = word(spec.kind);
  if (spec.kind == PolicyKind::kTtl) {
    constexpr std::int64_t kMilli = 1'000'000, kSecond = 1'000 * kMilli;
    return spec.ttl.count % kSecond == 0 ? fmt::format("{}:{}s", kind, spec.ttl.count / kSecond)
                                         : fmt::format("{}:{}ms", kind, spec.ttl.count / kMilli);
  }
  if (spec.kind == PolicyKind::kHistogram && spec.histogram.prewarm)
    return fmt::format("{}:prewarm", kind);
  return std::string(kind);
}

}  // namespace ridge::sharing
