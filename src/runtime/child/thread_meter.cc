// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/thread_meter.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/number.h"
#include "machine/system_files.h"

namespace ridge::runtime {
namespace {

const machine::SystemFiles& files() {
  static const machine::SystemFiles live = machine::live_files();
  return live;
}

constexpr char kTasks[] = "/proc/self/task";

/// Contents of a file of one thread; "" if it cannot be read.
std::string task_file(std::int64_t id, const char* name) {
  return files().read(std::string(kTasks) + "/" + std::to_string(id) + "/" + name).value_or("");
}

/// The kernel's id for the CPU clock of a thread of this process: the complement of the thread id,
/// shifted, plus "per thread" (4) and "scheduler time" (2). glibc derives it from a pthread_t only.
clockid_t cpu_clock_of(std::int64_t id) {
  return static_cast<clockid_t>((~static_cast<std::uint32_t>(id) << 3) | 6U);
}

/// Increase; -1 if either value is unknown.
std::int64_t added(std::int64_t after, std::int64_t before) {
  return after < 0 || before < 0 ? -1 : after - before;
}

}  // namespace

void parse_schedstat(std::string_view text, ThreadTimes& times) {
  std::array<std::int64_t, 3> values{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::int64_t& value : values) {
    while (at < end && *at == ' ') ++at;
    const auto [next, failed] = std::from_chars(at, end, value);
    if (failed != std::errc{} || value < 0) return;
    at = next;
  }
  times.wait_ns = values[1];
  times.switches = values[2];
}

std::optional<ThreadTimes> read_thread(std::int64_t id) {
  timespec time{};
  if (::clock_gettime(cpu_clock_of(id), &time) != 0) return std::nullopt;
  ThreadTimes times{.cpu_ns = time.tv_sec * 1'000'000'000 + time.tv_nsec};
  parse_schedstat(task_file(id, "schedstat"), times);
  return times;
}

std::vector<std::int64_t> list_threads(std::int64_t helper) {
  const std::int64_t own = ::gettid();
  std::vector<std::int64_t> out;
  for (const std::string& name : files().list(kTasks))
    if (const auto id = whole_number(name); id && *id != own && *id != helper) out.push_back(*id);
  std::sort(out.begin(), out.end());
  out.insert(out.begin(), own);
  return out;
}

void ThreadMeter::begin(Share share) {
  share_ = share;
  begun_.clear();
  std::vector<std::int64_t> ids = list_threads(helper_);
  if (share == Share::kHalf) ids.resize(ids.size() / 2);
  // Reads the calling thread last, so that the cost of reading the others is not part of its time.
  std::reverse(ids.begin(), ids.end());
  for (const std::int64_t id : ids)
    if (const auto times = read_thread(id)) begun_.push_back({id, *times});
  std::reverse(begun_.begin(), begun_.end());
}

std::vector<ThreadWork> ThreadMeter::end(std::uint32_t& readings) {
  std::vector<ThreadWork> out;
  const auto add = [&](std::int64_t id, const ThreadTimes& before) {
    if (const auto after = read_thread(id))
      out.push_back({number_of(id), after->cpu_ns - before.cpu_ns,
                     added(after->wait_ns, before.wait_ns),
                     added(after->switches, before.switches)});
  };
  for (const Begun& thread : begun_) add(thread.id, thread.times);
  if (share_ == Share::kAll)
    for (const std::int64_t id : list_threads(helper_))
      if (std::none_of(begun_.begin(), begun_.end(), [&](const Begun& b) { return b.id == id; }))
        add(id, {.cpu_ns = 0, .wait_ns = 0, .switches = 0});
  readings = static_cast<std::uint32_t>(begun_.size());
  return out;
}

std::uint32_t ThreadMeter::number_of(std::int64_t id) {
  const auto [at, fresh] = numbers_.emplace(id, static_cast<std::uint32_t>(numbers_.size()));
  if (fresh) {
    new_threads_.push_back({id, task_file(id, "comm")});
  }
  return at->second;
}

std::vector<ThreadInfo> ThreadMeter::take_new_threads() { return std::exchange(new_threads_, {}); }

}  // namespace ridge::runtime
