// SPDX-License-Identifier: Apache-2.0
// Counters compared with known amounts of work, and with the system's own accounting of it.
#include "runtime/child/counter_meter.h"

#include <gtest/gtest.h>

#include <linux/perf_event.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <thread>

#include "base/clock.h"
#include "runtime/testing/burn.h"

namespace ridge::runtime {
namespace {

struct Counted {
  std::map<std::string, CounterValue> values;
  std::map<std::string, CounterInfo> infos;
  std::uint32_t readings = 0;
  /// Page faults of the process by getrusage(2), opening and closing included.
  std::int64_t faults = 0;
};

std::int64_t faults_so_far() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

template <typename Work>
Counted count(CounterMeter& meter, Share share, Work&& work) {
  const std::int64_t faults_before = faults_so_far();
  meter.open(share);
  meter.start();
  work();
  meter.stop();
  Counted out;
  const std::vector<CounterValue> values = meter.close(out.readings);
  out.faults = faults_so_far() - faults_before;
  const std::vector<CounterInfo> infos = meter.take_new_counters();
  for (const CounterInfo& info : infos) out.infos[info.name] = info;
  for (const CounterValue& v : values) out.values[infos.at(v.counter).name] = v;
  return out;
}

OpenCounter forbidden(int error) {
  return [error](perf_event_attr&, std::int64_t) {
    errno = error;
    return -1;
  };
}

void expect_pages(const Counted& counted, std::int64_t pages) {
  const std::int64_t faults = counted.values.at("page-faults").value;
  EXPECT_GE(faults, pages);
  EXPECT_LE(faults, counted.faults);
}

TEST(CounterMeter, CountsThePagesThatWereTouched) {
  CounterMeter meter(0);
  expect_pages(count(meter, Share::kAll, [] { testing::touch_pages(700); }), 700);
}

TEST(CounterMeter, CountsThreadsThatWereThereAndThoseBornInTheRun) {
  std::atomic<int> told = 0;
  std::thread there([&] {
    while (told == 0) std::this_thread::yield();
    testing::touch_pages(300);
    told = 2;
    while (told != 3) std::this_thread::yield();
  });
  CounterMeter meter(0);
  const Counted counted = count(meter, Share::kAll, [&] {
    std::thread([] { testing::touch_pages(200); }).join();
    told = 1;
    while (told != 2) std::this_thread::yield();
  });
  told = 3;
  there.join();
  expect_pages(counted, 500);
}

TEST(CounterMeter, TheTaskClockIsTheTimeOfTheProcessOnProcessors) {
  CounterMeter meter(0);
  const Nanos before = steady_clock().now();
  std::int64_t burned = 0;
  const Counted counted = count(meter, Share::kAll, [&] { burned = testing::burn(20'000'000); });
  const std::int64_t most = (steady_clock().now() - before).count;
  const std::int64_t clock = counted.values.at("task-clock").value;
  // From two clocks; covers at most one thread.
  EXPECT_GE(clock, burned - burned / 10);
  EXPECT_LE(clock, most + most / 10);
  EXPECT_EQ(counted.infos.at("task-clock").unit, "ns");
}

TEST(CounterMeter, WhatThisMachineCannotCountSaysWhyAndHasNoValue) {
  CounterMeter meter(0);
  const Counted counted = count(meter, Share::kAll, [] {});
  EXPECT_EQ(counted.infos.size(), 12U);
  for (const auto& [name, info] : counted.infos) {
    EXPECT_NE(info.origin.empty(), info.absent.empty()) << name;
    EXPECT_FALSE(!info.absent.empty() && counted.values.contains(name)) << name;
  }
}

TEST(CounterMeter, WherePerfIsForbiddenTheSystemsAccountsStandIn) {
  CounterMeter meter(0, forbidden(EACCES));
  const Counted counted = count(meter, Share::kAll, [] { testing::touch_pages(700); });
  expect_pages(counted, 700);
  EXPECT_TRUE(
      counted.infos.at("page-faults")
          .origin.starts_with("getrusage, the whole process; perf_event_open: Permission denied"));
  EXPECT_TRUE(counted.infos.at("cycles").absent.starts_with("perf_event_open: Permission denied"));
  EXPECT_TRUE(counted.infos.at("cpu-migrations").origin.empty());
  EXPECT_EQ(counted.values.size(), 3U);
  EXPECT_EQ(counted.values.at("task-clock").running_ns, 0);
}

TEST(CounterMeter, CountedInUserModeOnlyItSaysSoAndLeavesOutWhatTheKernelDoes) {
  CounterMeter meter(0, [](perf_event_attr& a, std::int64_t thread) {
    if (a.exclude_kernel == 0) {
      errno = EACCES;
      return -1;
    }
    return open_counter(a, thread);
  });
  const Counted counted = count(meter, Share::kAll, [] { testing::touch_pages(700); });
  expect_pages(counted, 700);
  EXPECT_EQ(counted.infos.at("page-faults").origin, "perf software, user mode only");
  EXPECT_TRUE(counted.infos.at("context-switches").origin.starts_with("getrusage"));
  EXPECT_FALSE(counted.values.contains("cpu-migrations"));
}

TEST(CounterMeter, HalfOfTheCountersAreOpenForHalfOfTheReadings) {
  CounterMeter meter(0);
  const Counted all = count(meter, Share::kAll, [] {});
  std::uint32_t readings = 0;
  meter.open(Share::kHalf);
  meter.close(readings);
  const auto accounts = std::count_if(all.infos.begin(), all.infos.end(), [](const auto& named) {
    return named.second.origin.find("whole process") != std::string::npos;
  });
  EXPECT_EQ(readings, (all.readings - static_cast<std::uint32_t>(accounts)) / 2);
}

TEST(CounterMeter, ACounterThatOneThreadDidNotGetHasNoValue) {
  int opened = 0;
  CounterMeter meter(0, [&](perf_event_attr& a, std::int64_t thread) {
    const bool faults = a.type == PERF_TYPE_SOFTWARE && a.config == PERF_COUNT_SW_PAGE_FAULTS;
    if (faults && ++opened > 1) {  // the first opening is the probe
      errno = EMFILE;
      return -1;
    }
    return open_counter(a, thread);
  });
  const Counted counted = count(meter, Share::kAll, [] {});
  EXPECT_FALSE(counted.values.contains("page-faults"));
  EXPECT_TRUE(counted.values.contains("task-clock"));
}

TEST(CounterMeter, ATurnIsScaledToTheWholeTime) {
  EXPECT_EQ(scaled(100, 1000, 1000), 100);
  EXPECT_EQ(scaled(100, 1000, 250), 400);
  EXPECT_EQ(scaled(7, 0, 0), 7);
  EXPECT_EQ(scaled(7, 10, 0), -1);
  EXPECT_EQ(scaled(~std::uint64_t{0}, 2, 1), INT64_MAX);
}

}  // namespace
}  // namespace ridge::runtime
