// SPDX-License-Identifier: Apache-2.0
#include "measure/gate.h"

#include <algorithm>

#include "stats/warmup.h"

namespace ridge::measure {
namespace {

/// An idle system uses a tenth of a processor (tickless kernel threads, a monitor).
constexpr double kIdleLoad = 0.10;

/// One process, and the positions of its pairs in the rounds that all processes finished.
struct Member {
  const ProcessRuns* process;
  std::vector<std::size_t> at;
  stats::Warmup warmup;

  double load(std::size_t i) const {
    return std::max(process->plain[at[i]].foreign_cpus, process->profiled[at[i]].foreign_cpus);
  }
};

std::size_t pairs_of(const ProcessRuns& process) {
  return std::min(process.plain.size(), process.profiled.size());
}

std::uint32_t round_of(const ProcessRuns& process, std::size_t pair) {
  return process.rounds.empty() ? static_cast<std::uint32_t>(pair) : process.rounds[pair];
}

/// Pairs of `one` whose rounds `other` has too.
std::vector<std::size_t> common(const Member& one, const Member& other) {
  std::vector<std::size_t> out;
  std::size_t k = 0;
  for (const std::size_t pair : one.at) {
    const std::uint32_t round = round_of(*one.process, pair);
    while (k < other.at.size() && round_of(*other.process, other.at[k]) < round) ++k;
    if (k < other.at.size() && round_of(*other.process, other.at[k]) == round) out.push_back(pair);
  }
  return out;
}

std::vector<Member> members_of(std::span<const ProcessRuns* const> processes) {
  std::vector<Member> out;
  std::size_t most = 0;
  for (const ProcessRuns* process : processes) {
    Member m{.process = process};
    for (std::size_t i = 0; i < pairs_of(*process); ++i) m.at.push_back(i);
    most = std::max(most, m.at.size());
    out.push_back(std::move(m));
  }
  const std::size_t enough = std::min(most, kMinPairs);
  std::erase_if(out, [&](const Member& m) { return m.at.empty() || m.at.size() < enough; });
  // The first is reduced to the rounds that all have, then the others to the first one's rounds.
  for (std::size_t i = 1; i < out.size(); ++i) out[0].at = common(out[0], out[i]);
  for (std::size_t i = 1; i < out.size(); ++i) out[i].at = common(out[i], out[0]);
  for (Member& m : out) {
    std::vector<double> walls;
    for (const std::size_t i : m.at)
      walls.push_back(static_cast<double>(m.process->plain[i].wall_ns));
    m.warmup = stats::detect_warmup(walls);
  }
  return out;
}

}  // namespace

bool is_disturbed(double foreign_cpus, const Host& host) {
  return foreign_cpus > std::max(0, host.processors - host.threads) + kIdleLoad;
}

Kept gate(const ProcessRuns& process, const Host& host) {
  const ProcessRuns* const one = &process;
  return gate_in_turns({&one, 1}, host)[0];
}

std::vector<Kept> gate_in_turns(std::span<const ProcessRuns* const> processes, const Host& host) {
  const std::vector<Member> members = members_of(processes);
  const std::size_t count = members.empty() ? 0 : members[0].at.size();
  std::size_t warmup = 0;
  for (const Member& m : members) warmup = std::max(warmup, m.warmup.drop);
  warmup = count > kMinPairs ? std::min(warmup, count - kMinPairs) : 0;

  // Example: 4 processors, 2 threads: a load of up to 2.1 is allowed. 12 pairs, longest warm-up 3:
  // 9 candidates. If 7 of them are quiet, these are kept and 2 count as disturbed. If 5 are quiet,
  // the 6 with the lowest load are kept and the result is busy. A warm-up of 8 would be cut to 12 -
  // 6 = 6.
  const auto load = [&](std::size_t i) {
    double most = 0;
    for (const Member& m : members) most = std::max(most, m.load(i));
    return most;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = warmup; i < count; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return load(a) < load(b); });
  const auto quiet = [&](std::size_t i) { return !is_disturbed(load(i), host); };
  const auto quiet_ones =
      static_cast<std::size_t>(std::count_if(order.begin(), order.end(), quiet));
  const std::size_t candidates = order.size();
  order.resize(std::min(candidates, std::max(quiet_ones, kMinPairs)));
  const bool busy = order.size() > quiet_ones;
  std::sort(order.begin(), order.end());

  std::vector<Kept> out(processes.size());
  auto member = members.begin();
  for (std::size_t p = 0; p < processes.size(); ++p) {
    if (member == members.end() || member->process != processes[p]) continue;
    Kept& kept = out[p];
    for (const std::size_t i : order) kept.pairs.push_back(member->at[i]);
    kept.warmup = warmup;
    kept.disturbed = candidates - order.size();
    kept.busy = busy;
    kept.steadiness = stats::name(member->warmup.verdict);
    ++member;
  }
  return out;
}

}  // namespace ridge::measure
