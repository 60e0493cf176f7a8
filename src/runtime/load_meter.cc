// SPDX-License-Identifier: Apache-2.0
#include "runtime/load_meter.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ridge::runtime {
namespace {

enum Column { kUser, kNice, kSystem, kIdle, kIoWait, kIrq, kSoftIrq, kSteal, kColumns };

}  // namespace

std::optional<CpuTimes> parse_cpu_times(std::string_view proc_stat, std::int64_t ticks_per_second) {
  constexpr std::string_view kStart = "cpu ";
  if (!proc_stat.starts_with(kStart) || ticks_per_second <= 0) return std::nullopt;
  const char* at = proc_stat.data() + kStart.size();
  const char* const end = proc_stat.data() + std::min(proc_stat.find('\n'), proc_stat.size());
  std::array<std::int64_t, kColumns> ticks{};
  for (std::int64_t& value : ticks) {
    while (at < end && *at == ' ') ++at;
    const auto [next, failed] = std::from_chars(at, end, value);
    if (failed != std::errc{}) return std::nullopt;
    at = next;
  }
  const std::int64_t nanos = 1'000'000'000 / ticks_per_second;
  const std::int64_t busy =
      ticks[kUser] + ticks[kNice] + ticks[kSystem] + ticks[kIrq] + ticks[kSoftIrq];
  return CpuTimes{Nanos{busy * nanos}, Nanos{ticks[kSteal] * nanos}, Nanos{0}};
}

Nanos own_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return Nanos{time.tv_sec * 1'000'000'000 + time.tv_nsec};
}

std::optional<CpuTimes> read_cpu_times() {
  const int fd = ::open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::array<char, 512> start;  // the first line is the sum
  const ssize_t size = ::read(fd, start.data(), start.size());
  ::close(fd);
  if (size <= 0) return std::nullopt;
  auto times =
      parse_cpu_times({start.data(), static_cast<std::size_t>(size)}, ::sysconf(_SC_CLK_TCK));
  if (times) times->own = own_cpu_time();
  return times;
}

void LoadMeter::begin() {
  start_ = clock_.now();
  times_ = source_();
}

Load LoadMeter::lap() {
  const Nanos start = std::exchange(start_, clock_.now());
  const std::optional<CpuTimes> before = std::exchange(times_, source_());
  const Nanos window = start_ - start;
  if (!before || !times_ || window.count <= 0) return {};
  const Nanos others = (times_->busy - before->busy) - (times_->own - before->own);
  // Ticks may lag behind our own exact time, so the difference can be slightly negative.
  return {std::max(others / window, 0.0), (times_->stolen - before->stolen) / window};
}

}  // namespace ridge::runtime
