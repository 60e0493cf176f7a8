// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "base/numeral.h"
#include "base/text.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/sharing/sections.h"

namespace ridge::report {
namespace {

using sharing::ReplayRow;

std::string table_of_rows(const std::string& columns, const std::string& rows) {
  return scrolled(
      fmt::format("<table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table>\n", columns, rows));
}

std::string percent_cell(double share) { return fmt::format("{:.4g} %", 100 * share); }

std::string speedup_text(double speedup) { return fmt::format("{:.2f} x", speedup); }

std::string whole_cell(std::uint64_t count) {
  return number_cell(static_cast<double>(count), count_text(static_cast<std::int64_t>(count)));
}

std::string ready_cell(Nanos time) {
  const auto ns = static_cast<double>(time.count);
  return number_cell(ns, short_duration(ns));
}

/// Speed-ups of one trace, memory and policy by clients and share.
using SpeedupGrid = std::map<std::uint32_t, std::map<double, double>>;
using GridKey = std::tuple<std::string, std::int64_t, std::string>;

std::string speedup_table(const SpeedupGrid& grid, const std::set<double>& shares) {
  std::string columns = column("clients", true), rows;
  for (const double share : shares) columns += column(percent_cell(share) + " of the models", true);
  for (const auto& [clients, by_share] : grid) {
    rows += "<tr>" + whole_cell(clients);
    for (const double share : shares) {
      const auto at = by_share.find(share);
      rows += at == by_share.end() ? number_cell(std::nullopt, "")
                                   : number_cell(at->second, speedup_text(at->second));
    }
    rows += "</tr>\n";
  }
  return table_of_rows(columns, rows);
}

}  // namespace

std::string replay_speedups(const sharing::Replay& replay) {
  std::map<GridKey, SpeedupGrid> grids;
  std::set<double> shares;
  std::set<std::uint32_t> clients;
  for (const ReplayRow& row : replay.rows) {
    grids[{row.of.trace, row.of.memory.count, row.policy}][row.of.clients][row.of.share] =
        row.result.speedup;
    shares.insert(row.of.share);
    clients.insert(row.of.clients);
  }
  if (shares.size() < 2 || clients.size() < 2) return "";
  std::string out =
      "<p class=\"sub\">Time of all requests where each process loads by itself, over the time "
      "here.</p>\n";
  for (const auto& [key, grid] : grids) {
    const auto& [trace, memory, policy] = key;
    out +=
        figure(fmt::format("{}, {}, {}", printable(trace), binary_bytes(memory), printable(policy)),
               speedup_table(grid, shares), Folded::kOpen);
  }
  return section("Speed-up by clients and share of the models", out);
}

std::string replay_rows(const sharing::Replay& replay) {
  std::string rows;
  for (const ReplayRow& row : replay.rows) {
    const sharing::Simulation& s = row.result;
    rows +=
        "<tr>" + text_cell(printable(row.of.trace)) + whole_cell(row.of.clients) +
        whole_cell(row.of.models) +
        number_cell(static_cast<double>(row.of.memory.count), binary_bytes(row.of.memory.count)) +
        text_cell(printable(row.policy)) + whole_cell(s.requests) +
        number_cell(row.hit_share(), percent_cell(row.hit_share())) + whole_cell(s.joined) +
        whole_cell(s.disk_loads) + whole_cell(s.misses) + whole_cell(s.unadmitted) +
        whole_cell(s.evictions) + whole_cell(s.expirations) + ready_cell(s.ready.p50) +
        ready_cell(s.ready.p99) + ready_cell(s.cold.p50) + ready_cell(s.cold.p99) +
        number_cell(s.byte_seconds, significant(s.byte_seconds * 1e-9, 3)) +
        number_cell(s.speedup, speedup_text(s.speedup)) +
        number_cell(s.all_miss_speedup, fmt::format("{:.3f} x", s.all_miss_speedup)) + "</tr>\n";
  }
  std::string columns = column("trace", false) + column("clients", true) + column("models", true) +
                        column("memory", true) + column("policy", false);
  for (const char* title : {"requests", "hits", "joined", "from disk", "misses", "unadmitted",
                            "evictions", "expirations", "ready p50", "ready p99", "cold p50",
                            "cold p99", "GB s", "speed-up", "all miss"})
    columns += column(title, true);
  return section("All rows", table_of_rows(columns, rows));
}

}  // namespace ridge::report
