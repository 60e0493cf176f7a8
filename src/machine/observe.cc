// SPDX-License-Identifier: Apache-2.0
// Live part of fitness.h: observation of the machine.
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "base/number.h"
#include "kernels/cpu/clock_chain.h"
#include "machine/fitness.h"
#include "machine/memory.h"
#include "machine/pinned.h"

namespace ridge::machine {
namespace {

/// Clock of one processor: the best of several short chains of dependent adds.
std::optional<double> clock_hz(int cpu) {
  constexpr int kBursts = 20;
  constexpr std::int64_t kRounds = 5'000;
  if (!kernels::clock_chain_known()) return std::nullopt;
  const auto bursts = run_together({cpu}, kBursts, steady_clock(),
                                   {{}, [](int, int) { kernels::run_clock_chain(0, 1, kRounds); }});
  if (!bursts.ok()) return std::nullopt;
  double best = 0;
  for (const Burst& b : *bursts) {
    best = std::max(best, static_cast<double>(kRounds * kernels::kChainAdds) / seconds(b.wall));
  }
  return best;
}

Nanos timer_step() {
  Nanos smallest{INT64_MAX};
  Nanos last = steady_clock().now();
  for (int i = 0; i < 10'000; ++i) {
    const Nanos now = steady_clock().now();
    if (now > last) smallest = std::min(smallest, now - last);
    last = now;
  }
  return smallest;
}

/// Reason why no cycle counter can be opened for this process; "" if one can.
std::string counters_error() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof(attributes);
  attributes.config = PERF_COUNT_HW_CPU_CYCLES;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const long fd = ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return "the processor shows none to this system";
  if (fd < 0) return std::generic_category().message(errno);
  ::close(static_cast<int>(fd));
  return "";
}

/// Returns the word in brackets: "always [madvise] never" -> "madvise".
std::optional<std::string> chosen(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const std::size_t open = text->find('['), close = text->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  return text->substr(open + 1, close - open - 1);
}

}  // namespace

Observation observe(const Host& host, const SystemFiles& files) {
  Observation out;
  out.host = host;
  const int cpu = host.allowed.empty() ? 0 : host.allowed.front().id;
  const LoadSample before = sample_load(files);
  constexpr int kLooks = 3;
  for (int look = 0; look < kLooks; ++look) {
    if (const auto hz = clock_hz(cpu)) out.clocks_hz.push_back(*hz);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
  out.load = load_between(before, sample_load(files));
  out.timer_step = timer_step();
  out.memory_available = memory_available(files);
  out.huge_pages = chosen(files.read("/sys/kernel/mm/transparent_hugepage/enabled"));
  out.counters_error = counters_error();
  return out;
}

}  // namespace ridge::machine
