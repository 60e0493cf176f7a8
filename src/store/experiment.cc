// SPDX-License-Identifier: Apache-2.0
#include "store/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::store {

std::string runtimes_text(const std::vector<AgentRuntime>& runtimes) {
  std::vector<std::string> out;
  for (const AgentRuntime& runtime : runtimes)
    if (runtime.version) out.push_back(fmt::format("{} {}", runtime.title, *runtime.version));
  return fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace ridge::store
