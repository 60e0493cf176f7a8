// SPDX-License-Identifier: Apache-2.0
#include "store/run_filter.h"

#include <algorithm>

#include "base/number.h"

namespace ridge::store {
namespace {

bool has_runtime(const RunFilter& filter, const std::string& runtime) {
  return filter.runtimes.empty() ||
         std::ranges::find(filter.runtimes, runtime) != filter.runtimes.end();
}

bool in_time(const RunFilter& filter, std::int64_t recorded_s) {
  return recorded_s >= filter.since_s.value_or(recorded_s) &&
         (!filter.before_s || recorded_s < *filter.before_s);
}

}  // namespace

bool takes(const RunFilter& filter, const RunRow& run) {
  const auto threads = whole_number<std::uint32_t>(run.threads);
  const bool threads_fit =
      filter.threads.empty() ||
      (threads && std::ranges::find(filter.threads, *threads) != filter.threads.end());
  return run.path.find(filter.model) != std::string::npos && has_runtime(filter, run.runtime) &&
         threads_fit && run.machine.find(filter.host) != std::string::npos &&
         in_time(filter, run.recorded_s);
}

bool takes(const RunFilter& filter, const profile::EvaluationRecord& e) {
  const bool threads_fit = filter.threads.empty() ||
                           std::ranges::find(filter.threads, e.threads) != filter.threads.end();
  return e.model.find(filter.model) != std::string::npos && has_runtime(filter, e.runtime) &&
         threads_fit && e.host.find(filter.host) != std::string::npos &&
         in_time(filter, e.recorded_s);
}

bool takes(const RunFilter& filter, const Failure& failure) {
  return failure.path.find(filter.model) != std::string::npos &&
         has_runtime(filter, failure.runtime) && filter.threads.empty() && filter.host.empty() &&
         in_time(filter, failure.recorded_s);
}

}  // namespace ridge::store
