// SPDX-License-Identifier: Apache-2.0
// Lateness of a bare loop that spins until given moments: what the machine itself allows, for
// comparison with the load generator. Standard C++ alone, so that nothing of ridge is in it.
//
//   ridge eval ... --scenario server --qps 10000 --queries queries.csv
//   spin_late queries.csv      {"queries":50000,"late":12,"p50_ns":61,"p99_ns":420,"max_ns":90231}
//
// Reads the second column, scheduled_ns, of the file. "late" counts moments missed by over 20 us. A
// moment that is due while the loop still deals with the one before it counts from the end of that,
// as lateness of the generator does.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr std::int64_t kLateNs = 20'000;

std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

std::vector<std::int64_t> read_moments(const char* path) {
  std::vector<std::int64_t> out;
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return out;
  char line[512];
  long long due_ns = 0;
  while (std::fgets(line, sizeof(line), file) != nullptr)
    if (std::sscanf(line, "%*[^,],%lld", &due_ns) == 1) out.push_back(due_ns);
  std::fclose(file);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::int64_t> spin(const std::vector<std::int64_t>& due_times) {
  std::vector<std::int64_t> late;
  late.reserve(due_times.size());
  const std::int64_t begin = now() + 1'000'000;
  std::int64_t free = begin;
  for (const std::int64_t due_ns : due_times) {
    std::int64_t time = now();
    while (time < begin + due_ns) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
      time = now();
    }
    late.push_back(time - std::max(begin + due_ns, free));
    free = now();
  }
  return late;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::int64_t> due_times =
      argc == 2 ? read_moments(argv[1]) : std::vector<std::int64_t>();
  if (due_times.empty()) {
    std::fprintf(stderr, "usage: %s FILE   (its second column: moments in ns)\n", argv[0]);
    return 2;
  }
  std::vector<std::int64_t> late = spin(due_times);
  const auto many =
      std::count_if(late.begin(), late.end(), [](std::int64_t ns) { return ns > kLateNs; });
  std::sort(late.begin(), late.end());
  const auto at = [&](std::size_t percent) { return late[(late.size() - 1) * percent / 100]; };
  std::printf("{\"queries\":%zu,\"late\":%lld,\"p50_ns\":%lld,\"p99_ns\":%lld,\"most_ns\":%lld}\n",
              late.size(), static_cast<long long>(many), static_cast<long long>(at(50)),
              static_cast<long long>(at(99)), static_cast<long long>(late.back()));
}
