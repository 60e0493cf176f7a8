// SPDX-License-Identifier: Apache-2.0
#include "machine/working_set.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/checked.h"

namespace ridge::machine {
namespace {

/// Maximum number of threads on one core.
int threads_per_core(const std::vector<Cpu>& cpus) {
  std::map<int, int> count;
  int most = 1;
  for (const Cpu& c : cpus) most = std::max(most, ++count[c.core]);
  return most;
}

/// Returns the part of a cache instance available to one thread.
std::int64_t share(const HostCache& cache, const std::vector<Cpu>& cpus) {
  const int threads = static_cast<int>(cpus.size());
  const int sharers = cache.level <= 2 && cache.shared_by <= 2
                          ? threads_per_core(cpus)
                          : std::min(threads, std::max(cache.shared_by, 1));
  return cache.bytes / sharers;
}

/// Applies STREAM's rule: four times the last-level caches that the threads reach.
WorkingSet memory_set(const Host& host, std::int64_t threads) {
  const HostCache* last = host.cache(3) != nullptr ? host.cache(3) : host.cache(2);
  std::int64_t caches = 0;
  if (last != nullptr)
    caches = last->bytes * ceil_div(threads, std::int64_t{std::max(last->shared_by, 1)});
  std::int64_t total = std::max(kMinMemorySet, 4 * caches);
  for (const auto& limit : {host.memory_bytes, host.cgroup_memory_bytes}) {
    if (limit) total = std::min(total, *limit / 4);
  }
  if (total < 2 * caches) {
    return {"memory", 0, "a quarter of the memory is less than twice the caches"};
  }
  return {"memory", total / threads, ""};
}

}  // namespace

std::vector<Cpu> place_threads(const Host& host, int threads) {
  std::vector<Cpu> first, siblings;
  std::set<int> taken;
  for (const Cpu& c : host.allowed) (taken.insert(c.core).second ? first : siblings).push_back(c);
  first.insert(first.end(), siblings.begin(), siblings.end());
  first.resize(std::min(first.size(), static_cast<std::size_t>(std::max(threads, 0))));
  return first;
}

std::vector<WorkingSet> working_sets(const Host& host, const std::vector<Cpu>& cpus) {
  std::vector<WorkingSet> out;
  std::int64_t before = 0;
  for (int level = 1; level <= 3; ++level) {
    const HostCache* cache = host.cache(level);
    if (cache == nullptr) continue;
    const std::int64_t mine = share(*cache, cpus);
    const std::string name = "L" + std::to_string(level);
    // Other guests of the host may also use the outermost cache.
    const std::int64_t part = level == 3 ? std::min(mine / 4, 8 * before) : mine / 2;
    const std::int64_t bytes = std::max(part, 2 * before);
    // Caches may be inclusive or exclusive, so only the level's own size is counted.
    if (bytes > mine) {
      out.push_back({name, 0, "a thread's share is less than twice the cache before it"});
    } else {
      out.push_back({name, bytes, ""});
    }
    before = mine;
  }
  out.push_back(memory_set(host, static_cast<std::int64_t>(std::max<std::size_t>(cpus.size(), 1))));
  return out;
}

std::vector<std::int64_t> reach_sets(const Host& host, const std::vector<Cpu>& cpus) {
  const std::vector<WorkingSet> sets = working_sets(host, cpus);
  if (sets.size() < 2) return {};
  const WorkingSet &outermost = sets[sets.size() - 2], &memory = sets.back();
  if (outermost.bytes_per_thread == 0 || memory.bytes_per_thread == 0) return {};
  const HostCache* cache = host.cache(3) != nullptr ? host.cache(3) : host.cache(2);
  const std::int64_t most = std::min(2 * share(*cache, cpus), memory.bytes_per_thread);
  std::vector<std::int64_t> out;
  for (std::int64_t bytes = outermost.bytes_per_thread; bytes < most; bytes += bytes / 2)
    out.push_back(bytes);
  out.push_back(most);
  return out;
}

}  // namespace ridge::machine
