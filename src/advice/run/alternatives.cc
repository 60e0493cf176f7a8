// SPDX-License-Identifier: Apache-2.0
#include "advice/run/alternatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "runtime/paths.h"

namespace ridge::advice {
namespace {

std::string title(const std::string& runtime) {
  const runtime::KnownRuntime* known = runtime::known_runtime(runtime);
  return known == nullptr ? runtime : std::string(known->title);
}

/// The specs to measure, with the names of the ways.
std::vector<std::pair<std::string, session::MeasureSpec>> specs_of(
    const session::MeasureSpec& spec, const std::vector<std::string>& runtimes) {
  std::vector<std::pair<std::string, session::MeasureSpec>> out;
  const std::string& own = spec.runtimes.at(0);
  for (const std::string& runtime : runtimes) {
    if (runtime == own) continue;
    session::MeasureSpec other = spec;
    other.runtimes = {runtime};
    other.runtime_library.clear();
    other.runtime_options.clear();
    out.emplace_back(title(runtime), std::move(other));
  }
  if (own == "ort" && spec.optimization == runtime::Optimization::kAll) {
    session::MeasureSpec plain = spec;
    plain.optimization = runtime::Optimization::kExtended;
    out.emplace_back(title(own) + " without blocked layouts", std::move(plain));
  }
  return out;
}

/// Difference of two latencies that were measured one after the other.
stats::Estimate gain_of(const stats::Estimate& before, const stats::Estimate& after) {
  const double gain = before.value - after.value;
  const double half = std::hypot(before.high() - before.low(), after.high() - after.low()) / 2;
  return {gain, stats::finite_interval(gain - half, gain + half)};
}

}  // namespace

std::vector<AdviceWay> measure_ways(const session::Workbench& bench,
                                    const analysis::Resolved& resolved,
                                    const std::vector<std::string>& runtimes,
                                    session::RoofSource& roofs, std::vector<std::string>& notes) {
  std::vector<AdviceWay> out;
  if (runtimes.empty()) return out;
  for (auto& [name, spec] : specs_of(bench.spec, runtimes)) {
    if (bench.environment.stopped()) return out;
    const session::Workbench other{bench.model, spec, bench.environment, bench.opened,
                                   bench.process_s};
    session::Point point = session::points_of(spec).at(0);
    Result<session::Measured> measured = other.measure(resolved, point, roofs);
    if (measured.ok())
      out.push_back({name, std::move(spec), std::move(measured->profile)});
    else
      notes.push_back(fmt::format("{}: {}", name, measured.error().summary()));
  }
  return out;
}

std::vector<AdviceSetting> findings_of(const std::vector<AdviceWay>& ways,
                                       const profile::Profile& run, const std::string& model) {
  std::vector<AdviceSetting> out;
  const stats::Estimate& before = run.latency.ns;
  for (const AdviceWay& way : ways) {
    const stats::Estimate& after = way.run.latency.ns;
    // Series one after the other differ by chance: the whole interval must be a gain.
    if (after.value > (1 - kMinFaster) * before.value || gain_of(before, after).low() <= 0)
      continue;
    const bool runtime = way.run.subject.runtime != run.subject.runtime;
    const std::string flags =
        runtime ? "--runtime " + way.spec.runtimes.at(0) : std::string("--optimization extended");
    AdviceSetting& s = out.emplace_back();
    s.spec = way.spec;
    s.finding = {.id = runtime ? "runtime" : "layout",
                 .question = "Q3",
                 .kind = runtime ? "runtime" : "layout",
                 .nodes = {},
                 .evidence = fmt::format("{} takes {} instead of {}, measured one after the other",
                                         way.name, duration(after.value), duration(before.value)),
                 .gain_ns = gain_of(before, after),
                 .no_price = {},
                 .lossless = true,
                 .how = "run it with " + flags,
                 .command = fmt::format("ridge profile {} {}", model, flags),
                 .confidence = {},
                 .check = {}};
  }
  return out;
}

std::optional<Finding> finding_of(const Cover& cover, const profile::Profile& run,
                                  const std::string& model) {
  const double latency = run.latency.ns.value, gain = latency - cover.total_ns;
  if (cover.parts < 2 || gain < kMinFaster * latency) return std::nullopt;
  std::set<graph::NodeId> nodes;
  std::set<std::string> others;
  double time_ns = 0;
  for (const AchievableLayer& piece : cover.pieces) {
    if (piece.from == run.subject.runtime) continue;
    nodes.insert(piece.nodes.begin(), piece.nodes.end());
    others.insert(piece.from);
    time_ns += piece.time_ns;
  }
  std::string names;
  for (const std::string& name : others) names += (names.empty() ? "" : ", ") + name;
  return Finding{
      .id = "slower_kernels",
      .question = "Q3",
      .kind = "slower_kernel",
      .nodes = {nodes.begin(), nodes.end()},
      .evidence = fmt::format(
          "in {} sessions, with {} for these nodes ({} there), the model would take {} "
          "instead of {}; handing tensors over is included",
          cover.parts, names, duration(time_ns), duration(cover.total_ns), duration(latency)),
      .gain_ns = stats::Estimate{gain},
      .no_price = {},
      .lossless = true,
      .how = "cut the model there and run each part where it is fastest",
      .command = fmt::format("ridge compare {} --runtimes ort,openvino", model),
      .confidence = {},
      .check = {}};
}

}  // namespace ridge::advice
