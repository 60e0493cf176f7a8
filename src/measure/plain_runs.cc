// SPDX-License-Identifier: Apache-2.0
#include "measure/plain_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "attribution/names.h"
#include "measure/gate.h"
#include "measure/material.h"
#include "runtime/runtime.h"
#include "runtime/turns.h"

namespace ridge::measure {
namespace {

using runtime::Measurement;

/// Times of the rounds that all processes finished, in their order.
void take_rounds(const std::vector<Measurement>& together, std::span<const Column> columns,
                 std::vector<PlainRuns>& out) {
  std::vector<std::map<std::uint32_t, const runtime::Sample*>> rounds(together.size());
  for (std::size_t c = 0; c < together.size(); ++c)
    for (const runtime::Sample& s : together[c].samples)
      if (s.mode == runtime::Mode::kUnprofiled) rounds[c].emplace(s.round, &s);
  for (PlainRuns& runs : out) runs.ns.emplace_back();
  for (const auto& [round, ignored] : rounds[0]) {
    const bool all = std::ranges::all_of(
        rounds, [round = round](const auto& of_column) { return of_column.contains(round); });
    if (!all) continue;
    for (std::size_t c = 0; c < together.size(); ++c) {
      const runtime::Sample& s = *rounds[c].at(round);
      const Request& request = columns[c].request;
      const Host host{.processors = request.processors,
                      .threads = static_cast<int>(request.runtime.threads)};
      out[c].ns.back().push_back(static_cast<double>(s.wall.count));
      ++out[c].runs;
      if (is_disturbed(s.foreign_cpus, host)) ++out[c].disturbed;
    }
  }
}

}  // namespace

Result<std::vector<PlainRuns>> plain_runs_in_turns(std::span<const Column> columns) {
  const Request& first = columns[0].request;
  std::vector<Material> materials;
  for (const Column& column : columns)
    materials.push_back(TRY(prepare(*column.resolved, column.request, column.request.sizes)));
  runtime::Plan plan = first.plan;
  plan.profiled_per_round = 0;
  plan.settle_runs = 1;  // the others' runs have displaced the caches
  std::vector<PlainRuns> out(columns.size());
  for (std::uint32_t process = 1; process <= first.processes; ++process) {
    if (first.runtime.interrupted != nullptr && first.runtime.interrupted->load()) break;
    std::vector<Started> started;
    for (std::size_t c = 0; c < columns.size(); ++c)
      started.push_back(TRY(attribution::with_original_names(
          start(columns[c].request.runtime, materials[c]), columns[c].resolved->model())));
    std::vector<runtime::Party> parties;
    for (Started& one : started) parties.push_back({&one.runtime, one.session});
    std::vector<Result<Measurement>> measured = runtime::measure_in_turns(
        parties, plan,
        [&](const runtime::Progress& p) {
          if (first.progress != nullptr)
            first.progress->show(fmt::format("process {} of {}: {} in turns, {}", process,
                                             first.processes, columns.size(), rounds_text(p)));
        },
        first.runtime.interrupted);
    std::vector<Measurement> together;
    for (std::size_t c = 0; c < measured.size(); ++c)
      together.push_back(TRY(
          attribution::with_original_names(std::move(measured[c]), columns[c].resolved->model())));
    take_rounds(together, columns, out);
  }
  return out;
}

}  // namespace ridge::measure
