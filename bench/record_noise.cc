// SPDX-License-Identifier: Apache-2.0
// Records the duration of an operation of about a millisecond, repeatedly, as test data for the
// statistics: rows of a 192 x 192 float32 product (its three matrices fill 432 KiB, so that cache
// interference is visible, too), back to back on one processor.
//
//   build/bench/ridge_record_noise OUT.bin [SECONDS] [PROCESSOR]
//
// Writes the series (stats/testing/noise_series.h) and prints a row of tests/data/noise/series.csv,
// with the activity of the processors in that time, in seconds, from /proc/stat.
#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "stats/testing/noise_series.h"

namespace ridge {
namespace {

constexpr std::size_t kSide = 192;
constexpr std::int64_t kOperationNs = 1'000'000;
constexpr double kTicksPerSecond = 100;

struct Matrices {
  std::array<float, kSide * kSide> a, b, c;
};

std::int64_t now_ns(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

[[gnu::noinline]] void multiply_rows(Matrices& m, std::size_t count) {
  for (std::size_t r = 0; r < count; ++r) {
    float* out = &m.c[r % kSide * kSide];
    for (std::size_t k = 0; k < kSide; ++k) {
      const float x = m.a[r % kSide * kSide + k];
      const float* row = &m.b[k * kSide];
      for (std::size_t j = 0; j < kSide; ++j) out[j] += x * row[j];
    }
    for (std::size_t j = 0; j < kSide; ++j) out[j] *= 0.5F;
    asm volatile("" ::"r"(out) : "memory");
  }
}

/// Number of rows that take a millisecond without disturbance.
std::size_t calibrated(Matrices& m) {
  std::int64_t least = INT64_MAX;
  for (int i = 0; i < 400; ++i) {
    const std::int64_t start = now_ns(CLOCK_MONOTONIC);
    multiply_rows(m, kSide);
    least = std::min(least, now_ns(CLOCK_MONOTONIC) - start);
  }
  return std::max<std::size_t>(1, kSide * kOperationNs / static_cast<std::size_t>(least));
}

/// Times user, nice, system, idle, iowait, irq, softirq, steal of all processors, in seconds.
std::array<double, 8> processors() {
  std::array<double, 8> out{};
  const Result<std::string> text = read_file("/proc/stat", 1 << 20);
  if (!text.ok()) return out;
  const char *at = text->data(), *end = at + text->size();
  for (double& value : out) {
    while (at != end && (*at < '0' || *at > '9')) ++at;
    std::int64_t ticks = 0;
    at = std::from_chars(at, end, ticks).ptr;
    value = static_cast<double>(ticks) / kTicksPerSecond;
  }
  return out;
}

void pin(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    fmt::print(stderr, "cannot pin to the processor\n");
}

int run(const std::string& path, double seconds) {
  const auto m = std::make_unique<Matrices>();
  for (std::size_t i = 0; i < m->a.size(); ++i) {
    m->a[i] = static_cast<float>(i % 7) * 0.1F;
    m->b[i] = static_cast<float>(i % 5) * 0.1F;
  }
  const std::size_t rows = calibrated(*m);
  for (int i = 0; i < 100; ++i) multiply_rows(*m, rows);
  std::vector<std::int64_t> durations;
  durations.reserve(1 << 18);
  const auto before = processors();
  const std::int64_t own = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  const std::int64_t start = now_ns(CLOCK_MONOTONIC);
  const std::int64_t end = start + static_cast<std::int64_t>(seconds * 1e9);
  std::int64_t at = start;
  while (at < end) {
    multiply_rows(*m, rows);
    const std::int64_t next = now_ns(CLOCK_MONOTONIC);
    durations.push_back(next - at);
    at = next;
  }
  const double own_s = static_cast<double>(now_ns(CLOCK_PROCESS_CPUTIME_ID) - own) / 1e9;
  const auto after = processors();
  const auto spent = [&](std::size_t i) { return after[i] - before[i]; };
  const double busy = spent(0) + spent(1) + spent(2) + spent(5) + spent(6);
  const auto series = stats::testing::quantized(durations);
  const Result<void> written = write_file(path, stats::testing::encode(series));
  if (!written.ok()) {
    fmt::print(stderr, "{}\n", written.error().text());
    return 4;
  }
  fmt::print("{},{},{},{:.2f},{:.2f},{:.2f},{:.2f}\n", path.substr(path.rfind('/') + 1),
             durations.size(), series.min_ns, static_cast<double>(at - start) / 1e9, own_s,
             std::max(0.0, busy - own_s), spent(7));
  return 0;
}

}  // namespace
}  // namespace ridge

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    fmt::print(stderr, "usage: ridge_record_noise OUT.bin [SECONDS] [PROCESSOR]\n");
    return 2;
  }
  ridge::pin(argc > 3 ? std::atoi(argv[3]) : 0);
  return ridge::run(argv[1], argc > 2 ? std::atof(argv[2]) : 60);
}
