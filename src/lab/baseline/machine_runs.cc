// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/machine_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "profile/summary.h"
#include "profile/sweep.h"

namespace ridge::lab {
namespace {

constexpr std::size_t kExamples = 8;

/// Options as text. Which processors a run was pinned to depends on those that were free; how many
/// is part of what was asked.
std::string options_text(const profile::Subject& subject) {
  std::string out = subject.weights.empty() ? "" : "weights=" + subject.weights;
  for (const auto& [key, value] : subject.options) {
    const bool pinned = key == "pinned" && value != "no";
    const std::string shown =
        pinned ? counted(std::ranges::count(value, ',') + 1, "processor") : value;
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", key, shown);
  }
  return out;
}

BaselinePoint point_of(const profile::Profile& p, const std::string& processor) {
  const profile::Subject& s = p.subject;
  return {.model = s.path,
          .graph_hash = s.graph_hash,
          .sizes = profile::sizes_text(s.bindings),
          .runtime = s.runtime,
          .runtime_version = s.runtime_version,
          .options = options_text(s),
          .threads = s.threads.value_or(0),
          .batch = p.batch,
          .processor = processor};
}

/// Why a run cannot be compared with others; "" if it can.
std::string_view why_not(const MachineRun& run) {
  const profile::Profile& p = run.profile;
  if (p.subject.kind != "measured") return "not measured by ridge";
  if (run.machine.name.empty() || run.machine.processor.empty()) return "without a machine";
  const double latency = p.latency.ns.value;
  if (!std::isfinite(latency) || latency <= 0) return "without a latency";
  return "";
}

std::size_t count_like(const std::vector<MachineRun>& runs, const MachineRun& run) {
  return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const MachineRun& o) {
    return o.machine == run.machine && o.point.same_as(run.point);
  }));
}

}  // namespace

bool BaselinePoint::same_as(const BaselinePoint& o) const {
  const auto facts = [](const BaselinePoint& p) {
    return std::tie(p.graph_hash, p.sizes, p.runtime, p.runtime_version, p.options, p.threads,
                    p.batch, p.processor);
  };
  return facts(*this) == facts(o) && (!graph_hash.empty() || model == o.model);
}

MachineName machine_of(std::string_view host_json) {
  const std::string name = profile::machine_name(host_json);
  const std::size_t comma = name.find(", ");
  if (comma == std::string::npos) return {};
  return {name.substr(0, comma), name.substr(comma + 2)};
}

MachineName machine_of(const machine::Host& host) { return machine_of(machine::host_json(host)); }

void leave_out(std::vector<LeftOut>& left_out, std::string_view why, std::string example) {
  auto at = std::ranges::find(left_out, why, &LeftOut::why);
  if (at == left_out.end())
    at = left_out.insert(left_out.end(), {.why = std::string(why), .count = 0, .examples = {}});
  ++at->count;
  if (at->examples.size() < kExamples) at->examples.push_back(std::move(example));
}

MachineRun machine_run(profile::Profile profile, store::RunId id) {
  MachineRun out{.id = id, .machine = machine_of(profile.host_json), .point = {}, .profile = {}};
  out.point = point_of(profile, out.machine.processor);
  profile.timeline = {};
  profile.latency.processes.clear();
  for (profile::Layer& layer : profile.layers) layer.runs_ns.clear();
  out.profile = std::move(profile);
  return out;
}

Result<std::vector<MachineRun>> machine_runs(const store::Store& store,
                                             const store::RunFilter& filter,
                                             std::vector<LeftOut>& left_out, std::size_t newest) {
  std::vector<MachineRun> out;
  std::vector<store::RunRow> rows = TRY(store.list());
  std::ranges::reverse(rows);
  for (const store::RunRow& row : rows) {
    if (!store::takes(filter, row)) continue;
    MachineRun run = machine_run(TRY(store.read(row.id)), row.id);
    if (const std::string_view why = why_not(run); !why.empty()) {
      leave_out(left_out, why, fmt::format("run {}", row.id));
      continue;
    }
    if (newest > 0 && count_like(out, run) >= newest) continue;
    out.push_back(std::move(run));
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace ridge::lab
