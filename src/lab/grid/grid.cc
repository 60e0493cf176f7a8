// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/suggest.h"
#include "base/text.h"
#include "lab/grid/draft.h"

namespace ridge::lab {
namespace {

using Texts = std::vector<std::string>;

struct ByOrder {
  bool operator()(const Texts& a, const Texts& b) const { return values_before(a, b); }
};
/// Positions of rows or columns by their values.
using Places = std::map<Texts, std::size_t, ByOrder>;
using Drafts = std::map<std::pair<std::size_t, std::size_t>, DraftCell>;

Result<void> check_keys(const GridRequest& request) {
  for (const Key key : request.columns)
    if (std::ranges::find(request.rows, key) != request.rows.end())
      return usage_error("RIDGE-GRID-0005",
                         fmt::format("'{}' is a key of rows and of columns", word(key)))
          .hint("name each key once");
  return {};
}

Places places_of(const Measured& measured, const std::vector<Key>& keys) {
  Places out;
  for (const MeasuredRun& run : measured.runs) out.try_emplace(values_of(run.facts, keys));
  for (const MeasuredEvaluation& e : measured.evaluations)
    out.try_emplace(values_of(e.facts, keys));
  std::size_t at = 0;
  for (auto& [values, place] : out) place = at++;
  return out;
}

Texts names_of(const Places& places) {
  Texts out;
  for (const auto& [values, place] : places) out.push_back(name_of(values));
  return out;
}

Error nothing_measured(const store::Store& store, const Measured& measured) {
  return input_error("RIDGE-GRID-0003", "the run database has no measured run to report")
      .evidence(measured.stored == 0 ? "it has no runs"
                                     : fmt::format("it has {}, none of them measured and selected",
                                                   counted(measured.stored, "result")))
      .hint("ridge bench and ridge eval with --store add some; ridge runs list shows what is there")
      .in_file(store.path());
}

Result<std::size_t> place_of_base(const Grid& grid, const store::Store& store) {
  const auto at = std::ranges::find(grid.columns, grid.base);
  if (at != grid.columns.end()) return static_cast<std::size_t>(at - grid.columns.begin());
  const Texts near = near_names(grid.base, grid.columns);
  return input_error("RIDGE-GRID-0004",
                     fmt::format("no column '{}' to compare with", printable(grid.base)))
      .evidence(fmt::format("columns: {}", fmt::join(grid.columns, "; ")))
      .hint(near.empty() ? "--base takes the name of a column"
                         : fmt::format("did you mean '{}'?", printable(near[0])))
      .in_file(store.path());
}

/// Prices by host. Error: a price of a host that the store does not have, or two of one.
Result<std::map<std::string, double>> prices_by_host(const GridRequest& request,
                                                     const Measured& measured,
                                                     const store::Store& store) {
  Places hosts = places_of(measured, {Key::kHost});
  std::map<std::string, double> out;
  for (const Price& price : request.prices) {
    if (!hosts.contains({price.host}))
      return input_error("RIDGE-GRID-0007", fmt::format("a price of host '{}', which has no result",
                                                        printable(price.host)))
          .evidence(fmt::format("hosts: {}", fmt::join(names_of(hosts), "; ")))
          .hint("a price has the name of a host as ridge runs list shows it, before the comma")
          .in_file(store.path());
    if (!out.emplace(price.host, price.per_hour).second)
      return input_error("RIDGE-GRID-0008",
                         fmt::format("two prices of host '{}'", printable(price.host)))
          .hint("state one for each host");
  }
  return out;
}

template <typename Items, typename Take>
void draft(const Items& items, const GridRequest& request, const Places& rows,
           const Places& columns, Drafts& drafts, Take take) {
  for (const auto& item : items) {
    const std::size_t row = rows.at(values_of(item.facts, request.rows));
    const std::size_t column = columns.at(values_of(item.facts, request.columns));
    DraftCell& cell = drafts[{row, column}];
    cell.cell.row = row;
    cell.cell.column = column;
    take(cell, item);
  }
}

void add_speed_ups(std::size_t base, Drafts& drafts) {
  for (auto& [place, cell] : drafts) {
    const auto of = drafts.find({place.first, base});
    if (place.second == base && !cell.latencies_ns.empty())
      cell.cell.speed_up = {.value = 1, .interval = stats::Interval{1, 1}, .samples = 0};
    else if (of != drafts.end())
      cell.cell.speed_up = speed_up(cell, of->second);
  }
}

}  // namespace

const GridCell* Grid::at(std::size_t row, std::size_t column) const {
  const auto found =
      std::ranges::lower_bound(cells, std::pair(row, column), {},
                               [](const GridCell& c) { return std::pair(c.row, c.column); });
  return found != cells.end() && found->row == row && found->column == column ? &*found : nullptr;
}

Result<Grid> read_grid(const store::Store& store, const GridRequest& request) {
  TRY(check_keys(request));
  const Measured measured = TRY(read_measured(store, request.only));
  if (measured.runs.empty() && measured.evaluations.empty())
    return nothing_measured(store, measured);
  const Places rows = places_of(measured, request.rows);
  const Places columns = places_of(measured, request.columns);
  Grid grid{.rows_by = request.rows,
            .columns_by = request.columns,
            .rows = names_of(rows),
            .columns = names_of(columns),
            .base = request.base,
            .cells = {}};
  std::optional<std::size_t> base;
  if (!request.base.empty()) base = TRY(place_of_base(grid, store));
  const auto prices = TRY(prices_by_host(request, measured, store));

  Drafts drafts;
  draft(measured.runs, request, rows, columns, drafts,
        [](DraftCell& cell, const MeasuredRun& run) { cell.runs.push_back(&run); });
  draft(measured.evaluations, request, rows, columns, drafts,
        [](DraftCell& cell, const MeasuredEvaluation& e) { cell.evaluations.push_back(&e); });
  std::vector<Key> keys = request.rows;
  keys.insert(keys.end(), request.columns.begin(), request.columns.end());
  for (auto& [place, cell] : drafts) TRY(fill(store, keys, cell));
  if (base) add_speed_ups(*base, drafts);
  for (auto& [place, cell] : drafts) {
    const auto price = prices.find(cell.cell.host);
    if (price != prices.end())
      cell.cell.cost_per_million = cost_per_million(cell.cell, price->second);
    grid.cells.push_back(std::move(cell.cell));
  }
  return grid;
}

}  // namespace ridge::lab
