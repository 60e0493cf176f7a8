// SPDX-License-Identifier: Apache-2.0
// Kills clients, loading children and daemons of `ridge share` at their steps, and reports what is
// left (nothing, else the exit status is 1) and how long it takes until all of it is gone.
//
//   ridge_share_kills [POINTS [SEED]]              # 200 points
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/number.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "sharing/run/load_child.h"
#include "sharing/run/testing/kills.h"

namespace {

using namespace ridge;
using namespace ridge::sharing;

int run_points(std::uint64_t points, std::uint64_t seed) {
  const auto folder = TemporaryFolder::make("/tmp");
  if (!folder.ok()) return 1;
  sharing::testing::KillTrials trials(folder->path(), seed);
  if (const std::string fault = trials.start(); !fault.empty())
    return fmt::print(stderr, "{}\n", fault), 1;
  std::map<std::string, std::vector<std::int64_t>> delays;
  std::uint64_t faults = 0;
  for (std::uint64_t point = 0; point < points; ++point) {
    const sharing::testing::KillResult result = trials.run(point);
    delays[result.victim].push_back(result.delay.count);
    if (result.fault.empty()) continue;
    ++faults;
    fmt::print("point {} of seed {}: {} killed, {}: {}\n", point, seed, result.victim, result.step,
               result.fault);
  }
  fmt::print("{:8} {:>7} {:>10} {:>10} {:>10}\n", "killed", "points", "median", "p99", "most");
  for (auto& [victim, times] : delays) {
    std::ranges::sort(times);
    const auto at = [&](double share) {
      return duration(
          times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]);
    };
    fmt::print("{:8} {:>7} {:>10} {:>10} {:>10}\n", victim, times.size(), at(0.5), at(0.99), at(1));
  }
  fmt::print("{} of {} points left something or disturbed somebody\n", faults, points);
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == kLoadArgument) return load_main();
  if (argc > 1 && argv[1] == sharing::testing::kRoleArgument)
    return sharing::testing::role_main(argc, argv);
  const auto number = [&](int at, std::uint64_t otherwise) {
    return argc > at ? whole_number<std::uint64_t>(argv[at]).value_or(otherwise) : otherwise;
  };
  return run_points(number(1, 200), number(2, 1));
}
