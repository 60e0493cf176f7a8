#include "cli/bench_matrix.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <random>

#include "base/text.h"
#include "cli/runs_list.h"
#include "export/table.h"
#include "profile/sweep.h"

namespace ridge::cli {
namespace {

using exports::Align;
using exports::Table;

/// Of sizes as they are asked for, where the model does not take them.
std::string asked_label(const Point& point) {
  return profile::point_label(point.bindings.sizes, point.threads);
}

std::string state_text(const Cell& cell) {
  switch (cell.state) {
    case CellState::kWaiting:
      return cell.error.empty() ? "not measured" : "cannot be: " + cell.error;
    case CellState::kHeld:
      return fmt::format("run {}, from before", cell.run);
    case CellState::kMeasured:
      return fmt::format("run {}", cell.run);
    case CellState::kFailed:
      return "failed: " + cell.error;
  }
  return "";
}

bool has_run(const Cell& cell) {
  return cell.state == CellState::kHeld || cell.state == CellState::kMeasured;
}

std::string items_text(const Cell& cell) {
  return std::isnan(cell.items_per_s) ? "?" : si(cell.items_per_s);
}

Table for_people(const Matrix& matrix) {
  Table t({{"model", Align::kLeft, 40},
           {"point", Align::kLeft, 40},
           {"runtime"},
           {"latency", Align::kRight},
           {"95 % interval", Align::kRight},
           {"items/s", Align::kRight},
           {"state", Align::kLeft, 80}});
  for (const Cell& c : matrix.cells) {
    const profile::Estimate& e = c.latency_ns;
    t.add({matrix.bench(c).model, c.label, matrix.runtime(c), has_run(c) ? duration(e.median) : "",
           has_run(c) ? interval_text(e) : "", has_run(c) ? items_text(c) : "", state_text(c)});
  }
  return t;
}

std::string csv(const Matrix& matrix) {
  Table t({{"model"},
           {"point"},
           {"runtime"},
           {"median_ns"},
           {"low_ns"},
           {"high_ns"},
           {"items_per_s"},
           {"run"},
           {"state"}});
  for (const Cell& c : matrix.cells) {
    const auto number = [&](double v) { return has_run(c) ? plain_number(v) : ""; };
    t.add({matrix.bench(c).model, c.label, matrix.runtime(c), number(c.latency_ns.median),
           number(c.latency_ns.low), number(c.latency_ns.high), number(c.items_per_s),
           has_run(c) ? std::to_string(c.run) : "", state_text(c)});
  }
  return t.csv();
}

}  // namespace

Result<Matrix> Matrix::plan(const BenchOptions& options, Console& console, Progress* progress) {
  Matrix matrix;
  const std::vector<Point> points = TRY(points_of(options.measuring));
  const machine::Host host = machine::this_host();
  for (const std::string& runtime : options.runtimes)
    matrix.options.emplace_back(options.measuring).runtime = runtime;
  for (const std::string& model : options.models) {
    const OpenedModel opened = TRY(open_model(model));
    for (const MeasuringOptions& of_runtime : matrix.options) {
      matrix.benches.push_back({model, of_runtime, console, host, opened, progress});
      for (const Point& point : points) {
        const auto resolved = analysis::resolve(opened.model, point.bindings, opened.defaults);
        Cell cell{.bench = matrix.benches.size() - 1, .point = point, .label = asked_label(point)};
        if (resolved.ok())
          cell.label = profile::point_label(resolved->bindings(), point.threads);
        else
          cell.error = resolved.error().summary();
        matrix.cells.push_back(std::move(cell));
      }
    }
  }
  return matrix;
}

Result<std::string> key_of(const Workbench& bench, const Cell& cell,
                           const runtime::RuntimeInfo& runtime) {
  const analysis::Resolved resolved =
      TRY(analysis::resolve(bench.opened.model, cell.point.bindings, bench.opened.defaults));
  return bench.key(resolved, cell.point.threads, runtime.name, runtime.version);
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  // std::shuffle draws differently from library to library.
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

std::string matrix_text(const Matrix& matrix, std::string_view format) {
  if (format == "csv") return csv(matrix);
  const Table table = for_people(matrix);
  return format == "md" ? table.markdown() : table.text();
}

}  // namespace ridge::cli
