// SPDX-License-Identifier: Apache-2.0
#include "machine/fitness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "machine/roof.h"

namespace ridge::machine {
namespace {

constexpr double kMaxSteal = 0.01;        // in processors
constexpr double kClockTolerance = 0.01;  // as a share of the clock
constexpr Nanos kCoarseTimer{1'000};
constexpr std::int64_t kMinMemory = std::int64_t{2} << 30;

double gib(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

std::string why(const Host& host, const char* key) {
  const auto at = host.reasons.find(key);
  return at == host.reasons.end() ? "it cannot be read" : at->second;
}

Check check_load(const Observation& s) {
  if (!s.load.foreign_cpus) {
    return {"load", std::nullopt, "/proc/stat cannot be read", "look for other load by hand"};
  }
  const bool quiet = *s.load.foreign_cpus <= kQuietCpus;
  return {"load", quiet, fmt::format("other programs use {:.2f} processors", *s.load.foreign_cpus),
          quiet ? "" : "end or pause them (`top` shows which); ridge rejects disturbed runs"};
}

Check check_steal(const Observation& s) {
  if (!s.load.stolen_cpus) return {"steal", std::nullopt, "/proc/stat cannot be read", ""};
  const bool ok = *s.load.stolen_cpus <= kMaxSteal;
  return {"steal", ok, fmt::format("the hypervisor takes {:.2f} processors", *s.load.stolen_cpus),
          ok ? "" : "the host is overcommitted: measure later or on a dedicated machine"};
}

Check check_virtual(const Observation& s) {
  if (!s.host.virtualized()) return {"bare metal", true, "no hypervisor", ""};
  return {"bare metal", false, fmt::format("a virtual machine ({})", s.host.cpu.hypervisor),
          "other guests share caches and memory: trust intervals, repeat at another time"};
}

Check check_governor(const Observation& s) {
  if (!s.host.governor) {
    return {"governor", std::nullopt, why(s.host, "governor"), ""};
  }
  const bool ok = *s.host.governor == "performance";
  return {"governor", ok, *s.host.governor, ok ? "" : "sudo cpupower frequency-set -g performance"};
}

Check check_turbo(const Observation& s) {
  if (!s.host.turbo) return {"turbo", std::nullopt, why(s.host, "turbo"), ""};
  return {"turbo", !*s.host.turbo, *s.host.turbo ? "on" : "off",
          *s.host.turbo
              ? "the clock follows temperature and load; for steady numbers: echo 0 | sudo "
                "tee /sys/devices/system/cpu/cpufreq/boost (intel_pstate: echo 1 into "
                "no_turbo)"
              : ""};
}

Check check_smt(const Observation& s) {
  if (!s.host.smt) return {"smt", std::nullopt, why(s.host, "smt"), ""};
  const bool shared =
      *s.host.smt && s.host.allowed_cores() < static_cast<int>(s.host.allowed.size());
  return {
      "smt", !shared, shared ? "logical processors share cores" : "one logical processor per core",
      shared
          ? fmt::format("use at most {} threads: ridge pins one per core", s.host.allowed_cores())
          : ""};
}

Check check_clock(const Observation& s) {
  if (s.clocks_hz.empty()) {
    return {"clock", std::nullopt, "the clock cannot be measured on this processor", ""};
  }
  const auto [low, high] = std::minmax_element(s.clocks_hz.begin(), s.clocks_hz.end());
  const bool ok = *high - *low <= kClockTolerance * *high;
  return {"clock", ok,
          ok ? fmt::format("{:.3f} GHz, steady", *high * 1e-9)
             : fmt::format("between {:.3f} and {:.3f} GHz", *low * 1e-9, *high * 1e-9),
          ok ? "" : "let the machine cool and settle, turn turbo off, end other load"};
}

Check check_timer(const Observation& s) {
  const bool ok = s.timer_step <= kCoarseTimer;
  return {"timer", ok, fmt::format("CLOCK_MONOTONIC steps by {} ns", s.timer_step.count),
          ok ? ""
             : "a slow clock source is in use; see "
               "/sys/devices/system/clocksource/clocksource0/available_clocksource (tsc is best)",
          true};
}

Check check_memory(const Observation& s) {
  if (!s.memory_available) {
    return {"memory", std::nullopt, "/proc/meminfo cannot be read", "", true};
  }
  const bool ok = *s.memory_available >= kMinMemory;
  return {
      "memory", ok, fmt::format("{:.1f} GiB are free", gib(*s.memory_available)),
      ok ? "" : "end programs that hold memory: swapping would be measured instead of the model",
      true};
}

Check check_quota(const Observation& s) {
  if (!s.host.cgroup_cpus) return {"cpu quota", true, "none", ""};
  const bool ok = *s.host.cgroup_cpus >= static_cast<double>(s.host.allowed.size());
  return {"cpu quota", ok,
          fmt::format("{:.2f} of {} processors", *s.host.cgroup_cpus, s.host.allowed.size()),
          ok ? "" : "threads will be throttled: raise the container's limit, or use fewer threads"};
}

Check check_huge_pages(const Observation& s) {
  if (!s.huge_pages) {
    return {"huge pages", std::nullopt, "the system does not say whether it has them", ""};
  }
  const bool ok = *s.huge_pages != "never";
  return {"huge pages", ok, *s.huge_pages,
          ok ? ""
             : "memory roofs are a little lower without: echo madvise | sudo tee "
               "/sys/kernel/mm/transparent_hugepage/enabled"};
}

Check check_counters(const Observation& s) {
  if (!s.counters_error) return {"hardware counters", std::nullopt, "not looked for", ""};
  const bool ok = s.counters_error->empty();
  const bool hidden = s.host.virtualized();
  return {"hardware counters", ok, ok ? "can be opened" : *s.counters_error,
          ok       ? ""
          : hidden ? "virtual machines rarely have them; ridge does without"
                   : "sudo sysctl kernel.perf_event_paranoid=1; ridge does without"};
}

/// Without any runtime nothing can be measured; if there is another, a missing one is not serious.
Check check_runtime(const RuntimeFinding& r, bool another) {
  if (r.version) return {r.name, true, fmt::format("{} at {}", *r.version, r.library), "", true};
  return {r.name, false, "not found", r.advice, r.measures && !another};
}

}  // namespace

std::vector<Check> assess(const Observation& seen, const std::vector<RuntimeFinding>& runtimes) {
  std::vector<Check> out = {check_load(seen),     check_steal(seen),      check_virtual(seen),
                            check_governor(seen), check_turbo(seen),      check_smt(seen),
                            check_clock(seen),    check_timer(seen),      check_memory(seen),
                            check_quota(seen),    check_huge_pages(seen), check_counters(seen)};
  const bool any = std::ranges::any_of(
      runtimes, [](const RuntimeFinding& r) { return r.measures && r.version.has_value(); });
  for (const RuntimeFinding& r : runtimes) out.push_back(check_runtime(r, any));
  return out;
}

}  // namespace ridge::machine
