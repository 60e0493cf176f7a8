// SPDX-License-Identifier: Apache-2.0
#include "profile/options.h"

#include <utility>

#include "base/number.h"

namespace ridge::profile {

constexpr const char* kThreads = "threads";

std::map<std::string, std::string> all_options(const Subject& subject) {
  std::map<std::string, std::string> out = subject.options;
  if (subject.threads) out.insert_or_assign(kThreads, std::to_string(*subject.threads));
  return out;
}

std::string thread_option(const Subject& subject) {
  if (subject.threads) return std::to_string(*subject.threads);
  const auto written = subject.options.find(kThreads);
  return written == subject.options.end() ? "" : written->second;
}

void set_options(Subject& subject, std::map<std::string, std::string> all) {
  subject.options = std::move(all);
  subject.threads.reset();
  const auto written = subject.options.find(kThreads);
  if (written == subject.options.end()) return;
  const auto threads = whole_number<std::int32_t>(written->second);
  if (!threads || std::to_string(*threads) != written->second) return;
  subject.threads = threads;
  subject.options.erase(written);
}

}  // namespace ridge::profile
