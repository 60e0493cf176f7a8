// SPDX-License-Identifier: Apache-2.0
// Time from the question for a weights lease of what is in memory until it is granted, with many
// client processes at once: at moments of their own (exponential gaps), and one after the other
// without a pause.
//
//   ridge_share_leases [CLIENTS [LEASES [GAP_US]]]      # 16 clients, 2,000 leases each, 10,000 us
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "sharing/run/load_child.h"
#include "sharing/run/testing/roles.h"

namespace {

using namespace ridge;
using namespace ridge::sharing;

struct LeaseLoad {
  std::size_t clients = 16, leases = 2000;
  double gap_ns = 10'000'000;
};

constexpr Nanos kStartIn{300'000'000};

void sleep_until(std::int64_t moment) {
  const timespec time{moment / 1'000'000'000, moment % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) continue;
}

/// One client: its times into `out`.
int lease_often(const std::string& folder, const std::string& file, double gap_ns, Nanos start,
                std::uint64_t seed, std::span<std::int64_t> out) {
  auto client = Client::connect(folder);
  if (!client.ok()) return 1;
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> gap(1);
  double moment = static_cast<double>(start.count);
  sleep_until(start.count);
  for (std::int64_t& time : out) {
    if (gap_ns > 0) sleep_until(static_cast<std::int64_t>(moment += gap_ns * gap(random)));
    const Nanos before = steady_clock().now();
    const Leased leased = client->lease({.what = What::kWeights, .model = file, .wait = true});
    time = (steady_clock().now() - before).count;
    if (!leased.lease) return 1;
  }
  return 0;
}

void report(std::string_view what, std::span<std::int64_t> times, Nanos whole) {
  std::ranges::sort(times);
  const auto at = [&](double share) {
    return duration(times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]);
  };
  fmt::print("{:12} {:>10} {:>10} {:>10} {:>10} {:>12.0f}\n", what, at(0.5), at(0.9), at(0.99),
             at(1), static_cast<double>(times.size()) / seconds(whole));
}

int run_load(const std::string& folder, const std::string& file, std::string_view what,
             const LeaseLoad& load, double gap_ns) {
  const std::size_t count = load.clients * load.leases;
  void* shared = ::mmap(nullptr, count * sizeof(std::int64_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  const std::span<std::int64_t> times(static_cast<std::int64_t*>(shared), count);
  const Nanos start = steady_clock().now() + kStartIn;
  std::vector<pid_t> clients;
  for (std::size_t i = 0; i < load.clients; ++i) {
    const pid_t child = ::fork();
    if (child == 0)
      ::_exit(lease_often(folder, file, gap_ns, start, i + 1,
                          times.subspan(i * load.leases, load.leases)));
    clients.push_back(child);
  }
  int failed = 0;
  for (const pid_t client : clients) {
    int status = 0;
    ::waitpid(client, &status, 0);
    failed += status != 0 ? 1 : 0;
  }
  report(what, times, steady_clock().now() - start);
  ::munmap(shared, count * sizeof(std::int64_t));
  return failed;
}

int run_loads(const LeaseLoad& load) {
  const auto folder = TemporaryFolder::make("/tmp");
  if (!folder.ok()) return 1;
  const std::string file = folder->path() + "/model";
  if (!write_file(file, std::string(1 << 20, 'w')).ok()) return 1;
  const ipc::Process daemon = sharing::testing::start_daemon_role(folder->path());
  auto client = Client::connect(folder->path());
  if (!client.ok() ||
      !client->order({.what = What::kPin, .model = file, .wait = true}, kAnswerTime).ok())
    return fmt::print(stderr, "no daemon\n"), 1;
  fmt::print("{} clients, {} leases each\n", load.clients, load.leases);
  fmt::print("{:12} {:>10} {:>10} {:>10} {:>10} {:>12}\n", "moments", "median", "p90", "p99",
             "most", "leases/s");
  return run_load(folder->path(), file, "of their own", load, load.gap_ns) +
         run_load(folder->path(), file, "no pause", load, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == kLoadArgument) return load_main();
  if (argc > 1 && argv[1] == sharing::testing::kRoleArgument)
    return sharing::testing::role_main(argc, argv);
  LeaseLoad load;
  const auto number = [&](int at, std::size_t otherwise) {
    return argc > at ? whole_number<std::size_t>(argv[at]).value_or(otherwise) : otherwise;
  };
  load.clients = std::max<std::size_t>(number(1, load.clients), 1);
  load.leases = std::max<std::size_t>(number(2, load.leases), 1);
  load.gap_ns = static_cast<double>(number(3, 10'000)) * 1000;
  return run_loads(load) == 0 ? 0 : 1;
}
