// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/counter_meter.h"

#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "machine/system_files.h"
#include "runtime/load_meter.h"

namespace ridge::runtime {
namespace {

constexpr std::uint64_t cache(std::uint64_t which, std::uint64_t result) {
  return which | (std::uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8) | (result << 16);
}

enum class Account : std::uint8_t { kNothing, kCpuTime, kFaults, kSwitches };

/// Counter names as in perf(1).
struct CounterKind {
  std::string_view name, unit;
  std::uint32_t type;
  std::uint64_t config;
  /// Occurs only in the kernel: counted in user mode it would always be 0.
  bool in_kernel;
  Account account;
};
constexpr std::array kKinds = {
    CounterKind{"cycles", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false,
                Account::kNothing},
    CounterKind{"instructions", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false,
                Account::kNothing},
    CounterKind{"stalled-cycles-frontend", "", PERF_TYPE_HARDWARE,
                PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, false, Account::kNothing},
    CounterKind{"stalled-cycles-backend", "", PERF_TYPE_HARDWARE,
                PERF_COUNT_HW_STALLED_CYCLES_BACKEND, false, Account::kNothing},
    CounterKind{"branch-misses", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, false,
                Account::kNothing},
    CounterKind{"cache-misses", "", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false,
                Account::kNothing},
    CounterKind{"LLC-loads", "", PERF_TYPE_HW_CACHE,
                cache(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_RESULT_ACCESS), false,
                Account::kNothing},
    CounterKind{"LLC-load-misses", "", PERF_TYPE_HW_CACHE,
                cache(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_RESULT_MISS), false,
                Account::kNothing},
    CounterKind{"task-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false,
                Account::kCpuTime},
    CounterKind{"page-faults", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false,
                Account::kFaults},
    CounterKind{"context-switches", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, true,
                Account::kSwitches},
    CounterKind{"cpu-migrations", "", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, true,
                Account::kNothing},
};

/// Reason why a counter cannot be opened, with the setting responsible.
std::string reason_of(int error) {
  std::string out = fmt::format("perf_event_open: {}", std::strerror(error));
  if (error == ENOENT || error == EOPNOTSUPP) return out + " (this machine has no such counter)";
  if (error != EACCES && error != EPERM) return out;
  const auto level = machine::live_files().read("/proc/sys/kernel/perf_event_paranoid");
  return level ? out + " (kernel.perf_event_paranoid is " + *level + ")" : out;
}

std::int64_t account(Account which) {
  if (which == Account::kCpuTime) return own_cpu_time().count;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return which == Account::kFaults ? usage.ru_minflt + usage.ru_majflt
                                   : usage.ru_nvcsw + usage.ru_nivcsw;
}

/// Layout of PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING.
struct Reading {
  std::uint64_t value = 0, enabled_ns = 0, running_ns = 0;
};

std::int64_t clipped(std::uint64_t value) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(value, kMax));
}

/// Sum of one counter's values over its threads.
struct Sum {
  CounterValue total;
  bool whole = true;  ///< the counter ran on every thread

  void add(const Reading& r) {
    const std::int64_t value = scaled(r.value, r.enabled_ns, r.running_ns);
    whole = whole && value >= 0;
    total.value += std::max<std::int64_t>(value, 0);
    total.enabled_ns += clipped(r.enabled_ns);
    total.running_ns += clipped(r.running_ns);
  }
};

}  // namespace

int open_counter(perf_event_attr& attributes, std::int64_t thread) {
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, static_cast<pid_t>(thread),
                                    -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::int64_t scaled(std::uint64_t value, std::uint64_t enabled_ns, std::uint64_t running_ns) {
  if (running_ns >= enabled_ns) return clipped(value);
  if (running_ns == 0) return -1;
  const long double whole = static_cast<long double>(value) * static_cast<long double>(enabled_ns) /
                            static_cast<long double>(running_ns);
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  return whole < static_cast<long double>(kMax) ? std::llround(whole) : kMax;
}

CounterMeter::CounterMeter(std::int64_t helper, OpenCounter open)
    : helper_(helper), open_(std::move(open)) {}

int CounterMeter::open_one(std::size_t kind, std::int64_t thread, Source source) const {
  perf_event_attr a{};
  a.size = sizeof(a);
  a.type = kKinds[kind].type;
  a.config = kKinds[kind].config;
  a.disabled = 1;
  a.inherit = 1;
  a.exclude_kernel = a.exclude_hv = source == Source::kPerfUser ? 1 : 0;
  a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return open_(a, thread);
}

CounterMeter::Counter CounterMeter::probe_one(std::size_t kind) const {
  const CounterKind& k = kKinds[kind];
  Counter out{.source = Source::kUnavailable,
              .info = {std::string(k.name), std::string(k.unit), "", ""}};
  const std::string_view who = k.type == PERF_TYPE_SOFTWARE ? "perf software" : "perf hardware";
  for (const Source source : {Source::kPerf, Source::kPerfUser}) {
    if (source == Source::kPerfUser && k.in_kernel) continue;
    const ipc::Descriptor opened(open_one(kind, ::gettid(), source));
    if (opened.is_open()) {
      out.source = source;
      out.info.origin =
          fmt::format("{}{}", who, source == Source::kPerfUser ? ", user mode only" : "");
      out.info.absent.clear();
      return out;
    }
    if (out.info.absent.empty()) out.info.absent = reason_of(errno);
  }
  if (k.account == Account::kNothing) return out;
  out.source = Source::kAccounts;
  out.info.origin = k.account == Account::kCpuTime ? "clock_gettime, the whole process"
                                                   : "getrusage, the whole process";
  out.info.origin += "; " + std::exchange(out.info.absent, "");
  return out;
}

void CounterMeter::probe() {
  if (!counters_.empty()) return;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) counters_.push_back(probe_one(kind));
}

void CounterMeter::open(Share share) {
  probe();
  opened_.clear();
  accounts_.clear();
  std::vector<std::pair<std::uint32_t, std::int64_t>> wanted;
  for (const std::int64_t thread : list_threads(helper_))
    for (std::uint32_t kind = 0; kind < kKinds.size(); ++kind)
      if (counters_[kind].source == Source::kPerf || counters_[kind].source == Source::kPerfUser)
        wanted.emplace_back(kind, thread);
  if (share == Share::kHalf) wanted.resize(wanted.size() / 2);
  for (const auto& [kind, thread] : wanted) {
    ipc::Descriptor opened(open_one(kind, thread, counters_[kind].source));
    if (opened.is_open() || errno != ESRCH)  // ESRCH: the thread has ended
      opened_.push_back({kind, std::move(opened)});
  }
  if (share == Share::kAll)
    for (std::uint32_t kind = 0; kind < kKinds.size(); ++kind)
      if (counters_[kind].source == Source::kAccounts) accounts_.push_back(kind);
}

void CounterMeter::start() {
  accounted_.clear();
  for (const std::uint32_t kind : accounts_) accounted_.push_back(account(kKinds[kind].account));
  ::prctl(PR_TASK_PERF_EVENTS_ENABLE);
}

void CounterMeter::stop() {
  ::prctl(PR_TASK_PERF_EVENTS_DISABLE);
  for (std::size_t i = 0; i < accounts_.size(); ++i)
    accounted_[i] = account(kKinds[accounts_[i]].account) - accounted_[i];
}

std::vector<CounterValue> CounterMeter::close(std::uint32_t& readings) {
  std::vector<CounterValue> out;
  for (std::size_t i = 0; i < accounts_.size(); ++i)
    out.push_back({accounts_[i], accounted_[i], 0, 0});
  std::array<std::optional<Sum>, kKinds.size()> sums;
  readings = static_cast<std::uint32_t>(accounts_.size());
  for (const Opened& open : opened_) {
    readings += open.descriptor.is_open() ? 1U : 0U;
    std::optional<Sum>& sum = sums[open.counter];
    if (!sum) sum = Sum{.total = {.counter = open.counter}};
    Reading reading;
    if (::read(open.descriptor.get(), &reading, sizeof(reading)) == sizeof(reading))
      sum->add(reading);
    else
      sum->whole = false;
  }
  for (const std::optional<Sum>& sum : sums)
    if (sum && sum->whole) out.push_back(sum->total);
  opened_.clear();
  return out;
}

std::vector<CounterInfo> CounterMeter::take_new_counters() {
  std::vector<CounterInfo> out;
  if (told_) return out;
  for (const Counter& c : counters_) out.push_back(c.info);
  told_ = !out.empty();
  return out;
}

}  // namespace ridge::runtime
