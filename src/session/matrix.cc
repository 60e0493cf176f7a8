// SPDX-License-Identifier: Apache-2.0
#include "session/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "profile/sweep.h"
#include "runtime/runtime.h"
#include "session/point_choice.h"

namespace ridge::session {
namespace {

double macs_of(const analysis::Resolved& resolved) {
  const ops::Dim macs = resolved.totals().macs;
  return macs.known() ? static_cast<double>(macs.value()) : 1;
}

Cell cell_of(const Workbench& bench, std::size_t number, Point point) {
  const auto resolved =
      analysis::resolve(bench.opened.model, point.bindings, bench.opened.defaults);
  Cell cell{.bench = number, .point = std::move(point)};
  if (resolved.ok()) {
    cell.label = profile::point_label(resolved->bindings(), cell.point.threads);
    cell.work = std::max(1.0, macs_of(*resolved));
    Result<std::string> key = bench.request_key(*resolved, cell.point);
    if (key.ok()) cell.key = *std::move(key);
  } else {
    // The model rejects the sizes; label the cell with the requested ones.
    cell.label = profile::point_label(cell.point.bindings.sizes, cell.point.threads);
    cell.error = reason_of(resolved.error());
  }
  return cell;
}

}  // namespace

Result<Matrix> Matrix::plan(std::vector<ModelSpec> models, const Environment& environment) {
  Matrix matrix;
  for (ModelSpec& given : models) {
    const ModelSpec& m = matrix.models.emplace_back(std::move(given));
    TRY(check(m.spec));
    matrix.benches.push_back(TRY(make_workbench(m.model, m.spec, environment)));
    const Workbench& bench = matrix.benches.back();
    for (Point& point : TRY(with_arrays(points_of(m.spec), m.spec, *bench.opened.model)))
      matrix.cells.push_back(cell_of(bench, matrix.benches.size() - 1, std::move(point)));
  }
  return matrix;
}

std::int64_t Matrix::count(CellState state) const {
  return std::ranges::count(cells, state, &Cell::state);
}

namespace {

Result<runtime::RuntimeInfo> open_named(const std::string& name, const MeasureSpec& spec,
                                        const Environment& environment) {
  runtime::Options options;
  const runtime::KnownRuntime* known = runtime::known_runtime(name);
  if (known != nullptr && environment.library_folders)
    options.folders = environment.library_folders(*known);
  return open_runtime(TRY(plugin_of(spec, name, environment.plugin_folder)), std::move(options));
}

}  // namespace

Result<runtime::RuntimeInfo> open_runtime(const std::string& plugin, runtime::Options options) {
  options.plugin = plugin;
  return TRY(runtime::Runtime::spawn(options)).info();
}

Runtimes open_runtimes(const Matrix& matrix, const Environment& environment) {
  Runtimes out;
  for (const ModelSpec& model : matrix.models)
    for (const std::string& name : model.spec.runtimes)
      if (!out.contains(name)) out.emplace(name, open_named(name, model.spec, environment));
  return out;
}

Result<std::string> key_of(const Workbench& bench, const Cell& cell,
                           const runtime::RuntimeInfo& runtime) {
  const analysis::Resolved resolved =
      TRY(analysis::resolve(bench.opened.model, cell.point.bindings, bench.opened.defaults));
  return bench.key(resolved, cell.point, runtime.name, runtime.version);
}

Result<void> keep_points(std::span<const std::string> keys, Matrix& matrix) {
  std::vector<std::string> all;
  for (const Cell& cell : matrix.cells) all.push_back(cell.key);
  std::vector<Cell> kept;
  for (const std::size_t i : TRY(select_points(all, keys)))
    kept.push_back(std::move(matrix.cells[i]));
  matrix.cells = std::move(kept);
  return {};
}

void set_store_keys(const Runtimes& runtimes, Matrix& matrix) {
  for (Cell& cell : matrix.cells) {
    const auto runtime = runtimes.find(matrix.runtime(cell));
    if (runtime == runtimes.end() || !runtime->second.ok()) continue;
    Result<std::string> key = key_of(matrix.bench(cell), cell, *runtime->second);
    if (key.ok()) cell.store_key = *std::move(key);
  }
}

Result<void> mark_stored(const store::Store& store, const Runtimes& runtimes, Matrix& matrix) {
  std::map<std::string, store::RunRow> runs;
  for (store::RunRow& row : TRY(store.list()))
    if (!row.point.empty()) runs.insert_or_assign(row.point, std::move(row));
  for (Cell& cell : matrix.cells) {
    const auto runtime = runtimes.find(matrix.runtime(cell));
    if (runtime == runtimes.end() || !runtime->second.ok()) continue;
    const Result<std::string> key = key_of(matrix.bench(cell), cell, *runtime->second);
    const auto held = key.ok() ? runs.find(*key) : runs.end();
    if (held == runs.end()) continue;
    cell.state = CellState::kStored;
    cell.run = held->second.id;
    cell.latency_ns = held->second.latency_ns;
    cell.items_per_s = held->second.items_per_s;
  }
  return {};
}

std::string reason_of(const Error& error) {
  std::string out;
  for (const std::string* place : {&error.file(), &error.where()})
    if (!place->empty()) out += *place + ": ";
  out += error.message();
  if (!error.evidence().empty()) out += fmt::format(" ({})", error.evidence());
  return printable(out);
}

}  // namespace ridge::session
