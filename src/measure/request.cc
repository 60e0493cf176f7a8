// SPDX-License-Identifier: Apache-2.0
#include "measure/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace ridge::measure {

std::map<std::string, std::string> options_of(const Request& request) {
  const runtime::Options& o = request.runtime;
  std::map<std::string, std::string> out;
  out["threads"] = std::to_string(o.threads);
  out["optimization"] = word(o.optimization);
  out["pinned"] = o.cpus.empty() ? "no" : fmt::format("{}", fmt::join(o.cpus, ","));
  for (const auto& [key, value] : o.entries) out.try_emplace(key, value);
  return out;
}

std::string rounds_text(const runtime::Progress& progress) {
  return fmt::format("{}, at least {}", counted(progress.rounds_done, "run"), progress.min_rounds);
}

}  // namespace ridge::measure
