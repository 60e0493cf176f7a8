// SPDX-License-Identifier: Apache-2.0
#include "runtime/protocol.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridge::runtime {
namespace {

bool fits(const ProfiledRun& run, std::size_t samples, std::size_t kernels) {
  return run.sample < samples &&
         std::all_of(run.events.begin(), run.events.end(), [&](auto& event) {
           return event.kernel < kernels &&
                  (event.parent == kNone || event.parent < run.events.size());
         });
}

bool fits(const DeepRun& run, const Measurement& total) {
  return run.sample < total.samples.size() &&
         std::all_of(run.threads.begin(), run.threads.end(),
                     [&](const ThreadWork& w) { return w.thread < total.threads.size(); }) &&
         std::all_of(run.counters.begin(), run.counters.end(),
                     [&](const CounterValue& v) { return v.counter < total.counters.size(); });
}

template <typename T>
void move_to(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Error unreadable() {
  return environment_error("RIDGE-RT-0014", "the runtime's process sent something unreadable")
      .hint("the runtime may have overwritten its memory; try --optimization basic");
}

bool append(Measurement& total, Measurement part) {
  move_to(part.samples, total.samples);
  move_to(part.kernels, total.kernels);
  move_to(part.threads, total.threads);
  move_to(part.counters, total.counters);
  for (const ProfiledRun& run : part.profiled) {
    if (!fits(run, total.samples.size(), total.kernels.size())) return false;
  }
  for (const DeepRun& run : part.deep) {
    if (!fits(run, total)) return false;
  }
  move_to(part.profiled, total.profiled);
  move_to(part.deep, total.deep);
  total.canceled = total.canceled || part.canceled;
  if (part.failure) total.failure = std::move(part.failure);
  return true;
}

}  // namespace ridge::runtime
