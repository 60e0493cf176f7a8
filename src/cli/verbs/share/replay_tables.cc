// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/share/replay_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numeral.h"
#include "base/text.h"

namespace ridge::cli {
namespace {

using exports::Align;

std::string hits_text(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string wait_text(Nanos time) { return duration(time.count); }

}  // namespace

exports::Table table_of(const sharing::Replay& replay) {
  exports::Table table({{"trace"},
                        {"clients", Align::kRight},
                        {"models", Align::kRight},
                        {"memory", Align::kRight},
                        {"policy"},
                        {"requests", Align::kRight},
                        {"hits", Align::kRight},
                        {"best possible", Align::kRight},
                        {"joined", Align::kRight},
                        {"from disk", Align::kRight},
                        {"misses", Align::kRight},
                        {"unadmitted", Align::kRight},
                        {"evictions", Align::kRight},
                        {"expirations", Align::kRight},
                        {"ready p50", Align::kRight},
                        {"ready p99", Align::kRight},
                        {"cold p50", Align::kRight},
                        {"cold p99", Align::kRight},
                        {"GB s", Align::kRight},
                        {"speed-up", Align::kRight},
                        {"all miss", Align::kRight}});
  const auto number = [](std::uint64_t n) { return fmt::format("{}", n); };
  for (const sharing::ReplayRow& row : replay.rows) {
    const sharing::Simulation& s = row.result;
    table.add({row.of.trace,
               row.of.clients > 0 ? number(row.of.clients) : "",
               number(row.of.models),
               binary_bytes(row.of.memory.count),
               row.policy,
               number(s.requests),
               hits_text(row.hit_share()),
               (row.bound.exact ? "" : "<= ") + hits_text(row.bound_share()),
               number(s.joined),
               number(s.disk_loads),
               number(s.misses),
               number(s.unadmitted),
               number(s.evictions),
               number(s.expirations),
               wait_text(s.ready.p50),
               wait_text(s.ready.p99),
               wait_text(s.cold.p50),
               wait_text(s.cold.p99),
               significant(s.byte_seconds * 1e-9, 3),
               fmt::format("{:.2f} x", s.speedup),
               fmt::format("{:.3f} x", s.all_miss_speedup)});
  }
  return table;
}

std::string heading_of(const sharing::Replay& replay) {
  std::string out = fmt::format("costs: {}; seed {}", printable(replay.costs), replay.seed);
  if (!replay.arrivals.empty()) out += fmt::format("; arrivals: {}", printable(replay.arrivals));
  if (!replay.not_shared.empty())
    out += fmt::format("; not worth sharing: {}",
                       printable(fmt::format("{}", fmt::join(replay.not_shared, ", "))));
  return out;
}

}  // namespace ridge::cli
