// SPDX-License-Identifier: Apache-2.0
// Thread activity compared with the threads' own clocks and with the process's total.
#include "runtime/child/thread_meter.h"

#include <gtest/gtest.h>

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "runtime/load_meter.h"
#include "runtime/testing/burn.h"

namespace ridge::runtime {
namespace {

using testing::burn;

/// Thread that uses a given amount of CPU time on request.
class Worker {
 public:
  Worker() : thread_([this] { work(); }) {
    while (id_ == 0) std::this_thread::yield();
  }
  ~Worker() {
    wanted_ns_ = -1;
    thread_.join();
  }
  std::int64_t id() const { return id_; }
  /// Works until its own clock has advanced by this much; returns the actual amount.
  std::int64_t use(std::int64_t cpu_ns) {
    used_ns_ = 0;
    wanted_ns_ = cpu_ns;
    while (used_ns_ == 0) std::this_thread::yield();
    return used_ns_;
  }

 private:
  void work() {
    id_ = ::gettid();
    for (;;) {
      const std::int64_t wanted = wanted_ns_.exchange(0);
      if (wanted < 0) return;
      if (wanted > 0) used_ns_ = burn(wanted);
      std::this_thread::yield();
    }
  }
  std::atomic<std::int64_t> id_ = 0, wanted_ns_ = 0, used_ns_ = 0;
  std::thread thread_;
};

constexpr std::int64_t kMillisecond = 1'000'000;
/// The process's clock counts threads running elsewhere as of their last tick.
constexpr std::int64_t kTick = 10 * kMillisecond;

/// Work by system thread id. A sanitizer adds a thread of its own.
std::map<std::int64_t, ThreadWork> of_threads(const std::vector<ThreadWork>& work,
                                              const std::vector<ThreadInfo>& threads) {
  std::map<std::int64_t, ThreadWork> out;
  for (const ThreadWork& w : work) out[threads[w.thread].id] = w;
  return out;
}

TEST(ThreadMeter, EveryThreadHasTheProcessorTimeOfItsOwnClock) {
  Worker first, second;
  ThreadMeter meter(0);
  const Nanos process = own_cpu_time();
  meter.begin(Share::kAll);
  const std::int64_t burned = burn(5 * kMillisecond);
  const std::int64_t one = first.use(20 * kMillisecond), two = second.use(2 * kMillisecond);
  std::uint32_t readings = 0;
  const std::vector<ThreadWork> work = meter.end(readings);
  const std::int64_t all = (own_cpu_time() - process).count;

  EXPECT_EQ(readings, work.size());
  const std::map<std::int64_t, ThreadWork> by_id = of_threads(work, meter.take_new_threads());
  EXPECT_GE(by_id.at(::gettid()).cpu_ns, burned);  // includes work before and after it
  EXPECT_GE(by_id.at(first.id()).cpu_ns, one);
  EXPECT_GE(by_id.at(second.id()).cpu_ns, two);
  std::int64_t sum = 0;
  for (const ThreadWork& w : work) sum += w.cpu_ns;
  EXPECT_LE(sum, all + kTick);
  EXPECT_TRUE(meter.take_new_threads().empty());
}

TEST(ThreadMeter, AThreadBornInTheRunCountsFromItsBirthAndTheHelperDoesNot) {
  Worker helper;
  ThreadMeter meter(helper.id());
  meter.begin(Share::kAll);
  Worker born;
  const std::int64_t used = born.use(3 * kMillisecond);
  std::uint32_t readings = 0;
  const std::vector<ThreadWork> work = meter.end(readings);
  EXPECT_EQ(readings + 1, work.size());
  const auto by_id = of_threads(work, meter.take_new_threads());
  EXPECT_GE(by_id.at(born.id()).cpu_ns, used);
  EXPECT_FALSE(by_id.contains(helper.id()));
}

TEST(ThreadMeter, HalfOfTheThreadsAreReadWithTheCallerFirst) {
  Worker one, two, three;
  ThreadMeter meter(0);
  meter.begin(Share::kHalf);
  std::uint32_t readings = 0;
  const std::vector<ThreadWork> work = meter.end(readings);
  EXPECT_EQ(readings, list_threads(0).size() / 2);
  EXPECT_EQ(meter.take_new_threads()[work[0].thread].id, ::gettid());
}

TEST(ThreadMeter, NamesAreThoseOfTheSystem) {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof(name));
  ThreadMeter meter(0);
  meter.begin(Share::kAll);
  std::uint32_t readings = 0;
  meter.end(readings);
  EXPECT_EQ(meter.take_new_threads()[0].name, name);
}

TEST(ThreadMeter, AThreadThatIsGoneIsNotRead) {
  std::int64_t id = 0;
  {
    const Worker worker;
    id = worker.id();
    EXPECT_TRUE(read_thread(id).has_value());
  }
  // The kernel wakes who joins a thread before it removes the thread from its tables.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (read_thread(id).has_value() && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  EXPECT_FALSE(read_thread(id).has_value());
}

TEST(ThreadMeter, SchedstatIsReadOrSaysNothing) {
  const auto parsed = [](std::string_view text) {
    ThreadTimes t{.cpu_ns = 7};
    parse_schedstat(text, t);
    return std::tuple(t.cpu_ns, t.wait_ns, t.switches);
  };
  EXPECT_EQ(parsed("582656 91336 3\n"), std::tuple(7, 91336, 3));
  for (const std::string_view bad : {"", "1 2", "x", "1 -2 3", "99999999999999999999 1 1"})
    EXPECT_EQ(parsed(bad), std::tuple(7, -1, -1)) << bad;
}

}  // namespace
}  // namespace ridge::runtime
