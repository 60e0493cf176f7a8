// SPDX-License-Identifier: Apache-2.0
#include "machine/pinned.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

namespace ridge::machine {
namespace {

/// Barrier whose threads spin, so that all leave it within a cache miss of each other. After
/// kPatience, about a scheduler time slice, they yield: if threads share a processor, spinning
/// would block the very thread that they wait for.
class SpinBarrier {
 public:
  SpinBarrier(int count, const Clock& clock) : count_(count), clock_(clock) {}

  void wait() {
    const int generation = generation_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.store(generation + 1, std::memory_order_release);
      return;
    }
    constexpr Nanos kPatience{3'000'000};
    constexpr unsigned kLooks = 1024;
    const Nanos start = clock_.now();
    bool patient = true;
    for (unsigned looks = 1; generation_.load(std::memory_order_acquire) == generation; ++looks) {
      if (patient && looks % kLooks == 0) patient = clock_.now() - start < kPatience;
      if (!patient) std::this_thread::yield();
    }
  }

 private:
  const int count_;
  const Clock& clock_;
  std::atomic<int> arrived_ = 0;
  std::atomic<int> generation_ = 0;
};

/// Mask of the processors 0 to count - 1, empty at first; a static cpu_set_t ends at 1,023.
/// std::bad_alloc without memory, where CPU_ALLOC would return a null pointer.
class CpuMask {
 public:
  explicit CpuMask(int count) : words_(CPU_ALLOC_SIZE(count) / sizeof(unsigned long)) {}

  std::size_t bytes() const { return words_.size() * sizeof(unsigned long); }
  cpu_set_t* get() { return reinterpret_cast<cpu_set_t*>(words_.data()); }

 private:
  std::vector<unsigned long> words_;
};

int pin(int cpu) {
  CpuMask mask(cpu + 1);
  CPU_SET_S(cpu, mask.bytes(), mask.get());
  return pthread_setaffinity_np(pthread_self(), mask.bytes(), mask.get());
}

struct Stamp {
  Nanos start, end;
  bool preempted = false;
};

/// Number of involuntary context switches of the calling thread.
long preemptions() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

Burst burst_of(const std::vector<std::vector<Stamp>>& stamps, std::size_t burst) {
  Burst out;
  Nanos first_start = stamps[0][burst].start, last_start = first_start;
  Nanos last_end = stamps[0][burst].end;
  for (const std::vector<Stamp>& thread : stamps) {
    const Stamp& s = thread[burst];
    first_start = std::min(first_start, s.start);
    last_start = std::max(last_start, s.start);
    last_end = std::max(last_end, s.end);
    out.thread.push_back(s.end - s.start);
    out.undisturbed = out.undisturbed && !s.preempted;
  }
  out.wall = last_end - first_start;
  constexpr double kStraggle = 0.01;  // as a share of the burst
  const double late = static_cast<double>((last_start - first_start).count);
  if (late > kStraggle * static_cast<double>(out.wall.count)) out.undisturbed = false;
  return out;
}

Error cannot_run(int cpu, int error_number) {
  return environment_error("RIDGE-MACH-0001",
                           fmt::format("cannot run a thread on processor {}: {}", cpu,
                                       std::generic_category().message(error_number)))
      .hint(
          "request fewer threads, or extend the set of processors this process may use (taskset, "
          "cpuset)");
}

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> out;
  // sched_getaffinity rejects masks smaller than the kernel's, so the size is doubled until it
  // fits.
  for (int count = 1024; count <= (1 << 20); count *= 2) {
    CpuMask mask(count);
    const bool known = sched_getaffinity(0, mask.bytes(), mask.get()) == 0;
    for (int cpu = 0; known && cpu < count; ++cpu)
      if (CPU_ISSET_S(cpu, mask.bytes(), mask.get())) out.push_back(cpu);
    if (known) break;
  }
  return out;
}

Result<std::vector<Burst>> run_together(const std::vector<int>& cpus, int bursts,
                                        const Clock& clock, const Work& work) {
  const auto count = static_cast<int>(cpus.size());
  const auto rounds = static_cast<std::size_t>(bursts);
  if (count == 0 || bursts <= 0) return bug("no threads or no bursts", "run_together");
  enum Gate { kWait, kGo, kAbandon };
  std::atomic<Gate> gate = kWait;
  SpinBarrier barrier(count, clock);
  std::vector<std::vector<Stamp>> stamps(cpus.size(), std::vector<Stamp>(rounds));
  std::vector<int> errors(cpus.size(), 0);
  std::atomic<int> failures = 0;

  const auto run = [&](int thread) {
    const auto index = static_cast<std::size_t>(thread);
    while (gate.load(std::memory_order_acquire) == kWait) std::this_thread::yield();
    if (gate.load() == kAbandon) return;
    errors[index] = pin(cpus[index]);
    if (errors[index] != 0) ++failures;
    barrier.wait();
    if (failures.load() > 0) return;
    if (work.set_up) work.set_up(thread);
    for (int b = 0; b < bursts; ++b) {
      barrier.wait();
      Stamp& stamp = stamps[index][static_cast<std::size_t>(b)];
      const long before = preemptions();
      stamp.start = clock.now();
      work.body(thread, b);
      stamp.end = clock.now();
      stamp.preempted = preemptions() != before;
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(cpus.size());
  int refused = 0;
  try {
    for (int t = 0; t < count; ++t) threads.emplace_back(run, t);
  } catch (const std::system_error& error) {
    refused = error.code().value();
  }
  gate.store(refused == 0 ? kGo : kAbandon, std::memory_order_release);
  for (std::thread& t : threads) t.join();
  if (refused != 0) return cannot_run(cpus[threads.size()], refused);

  for (std::size_t t = 0; t < cpus.size(); ++t) {
    if (errors[t] != 0) return cannot_run(cpus[t], errors[t]);
  }
  std::vector<Burst> out;
  out.reserve(rounds);
  for (std::size_t b = 0; b < rounds; ++b) out.push_back(burst_of(stamps, b));
  return out;
}

}  // namespace ridge::machine
