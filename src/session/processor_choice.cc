// SPDX-License-Identifier: Apache-2.0
#include "session/processor_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/text.h"
#include "machine/processor_claims.h"

namespace ridge::session {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(100);

/// Claims of this process while a scope lives.
struct Held {
  explicit Held(const std::string& folder) : claims(folder) {}
  machine::ProcessorClaims claims;
  std::vector<int> cpus;
};
std::unique_ptr<Held>& held() {
  static std::unique_ptr<Held> of_process;
  return of_process;
}

}  // namespace

std::vector<int> processor_order(const machine::Host& host) {
  std::vector<int> first, second, cores;
  for (const machine::Cpu& cpu : host.allowed) {
    const bool taken = std::ranges::find(cores, cpu.core) != cores.end();
    if (!taken) cores.push_back(cpu.core);
    (taken ? second : first).push_back(cpu.id);
  }
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<std::uint32_t> first_processors(const machine::Host& host, int threads) {
  std::vector<int> order = processor_order(host);
  if (order.size() < static_cast<std::size_t>(threads)) return {};
  order.resize(static_cast<std::size_t>(threads));
  return {order.begin(), order.end()};
}

std::vector<std::uint32_t> choose_processors(const Environment& environment, int threads) {
  const auto count = static_cast<std::size_t>(threads);
  if (held() == nullptr || held()->cpus.size() < count)
    return first_processors(environment.host, threads);
  return {held()->cpus.begin(), held()->cpus.begin() + threads};
}

std::vector<std::uint32_t> processors_in_keys(const machine::Host& host,
                                              const std::vector<std::uint32_t>& chosen) {
  return first_processors(host, static_cast<int>(chosen.size()));
}

ProcessorScope::ProcessorScope(const Environment& environment, std::span<const int> threads,
                               std::chrono::milliseconds patience) {
  const std::vector<int> order = processor_order(environment.host);
  // Measurements with more threads than processors are not pinned.
  std::size_t count = 0;
  for (const int t : threads)
    if (static_cast<std::size_t>(t) <= order.size())
      count = std::max(count, static_cast<std::size_t>(t));
  if (count == 0 || held() != nullptr) return;
  outermost_ = true;
  held() = std::make_unique<Held>(environment.cache_folder);
  const std::string waiting = fmt::format(
      "another measurement holds processors of this machine; waiting until {} of {} {} free "
      "(--no-pin does not wait)",
      counted(static_cast<std::int64_t>(count), "processor"), fmt::join(order, ", "),
      count == 1 ? "is" : "are");
  const SteadyClock::time_point start = SteadyClock::now();
  for (bool said = false; !environment.stopped();) {
    if (auto cpus = held()->claims.claim(order, count)) {
      held()->cpus = std::move(*cpus);
      break;
    }
    if (environment.progress != nullptr) environment.progress->show(waiting);
    if (!said && SteadyClock::now() - start >= patience) {
      environment.hide_progress();
      environment.notices.status(waiting);
      said = true;
    }
    std::this_thread::sleep_for(kLook);
  }
  environment.hide_progress();
}

ProcessorScope::~ProcessorScope() {
  if (outermost_) held().reset();
}

}  // namespace ridge::session
