// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/agent_age.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date_text.h"

namespace ridge::lab::serve {
namespace {

constexpr std::int64_t kSilentAfterS = 30, kMinuteS = 60, kHourS = 3600;

bool is_live(store::AgentState state) {
  using S = store::AgentState;
  return state == S::kConnecting || state == S::kIdle || state == S::kMeasuring;
}

}  // namespace

std::string age_text(std::int64_t then_s, std::int64_t now_s) {
  if (then_s == 0) return "never";
  const std::int64_t age_s = std::max<std::int64_t>(0, now_s - then_s);
  if (age_s < 2 * kMinuteS) return fmt::format("{} s ago", age_s);
  if (age_s < 2 * kHourS) return fmt::format("{} min ago", age_s / kMinuteS);
  return date_text(then_s);
}

bool is_silent(const store::Agent& agent, std::int64_t now_s) {
  return is_live(agent.state) && agent.last_s != 0 && now_s - agent.last_s > kSilentAfterS;
}

}  // namespace ridge::lab::serve
