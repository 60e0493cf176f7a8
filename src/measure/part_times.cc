// SPDX-License-Identifier: Apache-2.0
#include "measure/part_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "attribution/prefix.h"
#include "base/clock.h"
#include "measure/collect.h"
#include "runtime/turns.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

using attribution::CanonicalOptions;
using runtime::Measurement;
using runtime::Mode;
using runtime::Plan;
using runtime::Runtime;

/// Plan of the profiled runs that list a part's kernels, after the timed runs.
constexpr Plan kListPlan{.warmup_runs = 1,
                         .min_rounds = 10,
                         .max_rounds = 40,
                         .budget = Nanos{200'000'000},
                         .limit = Nanos{20'000'000'000}};

/// Plan of `more` warm-up runs besides the very first run; the last sample is the one that counts.
constexpr Plan single_runs(std::uint32_t more) {
  return {.warmup_runs = more, .profiled_per_round = 0, .max_rounds = 0};
}

/// Wall times of unprofiled runs, by round.
std::map<std::uint32_t, double> plain_runs(const Measurement& m) {
  std::map<std::uint32_t, double> out;
  for (const runtime::Sample& s : m.samples)
    if (s.mode == Mode::kUnprofiled) out.emplace(s.round, static_cast<double>(s.wall.count));
  return out;
}

/// Appends the times of the rounds that both finished.
void append_pairs(const Measurement& whole, const Measurement& part, PartTimes& out) {
  const std::map<std::uint32_t, double> of_whole = plain_runs(whole);
  std::vector<double>& w = out.whole_ns.emplace_back();
  std::vector<double>& p = out.part_ns.emplace_back();
  for (const auto& [round, ns] : plain_runs(part))
    if (const auto beside = of_whole.find(round); beside != of_whole.end()) {
      w.push_back(beside->second);
      p.push_back(ns);
    }
}

std::vector<PartKernel> part_kernels_of(Measurement measurement) {
  std::vector<ProcessMeasurement> alone;
  alone.push_back({0, std::move(measurement)});
  const Collected c = collect(alone);
  std::vector<std::vector<double>> sums(c.kernels.size());
  std::vector<double> executions(c.kernels.size(), 0);
  const std::vector<Run>& runs = c.processes[0].profiled;
  for (const Run& run : runs) {
    std::vector<double> ns(c.kernels.size(), 0);
    for (const Event& e : run.events) {
      ns[e.kernel] += static_cast<double>(e.duration_ns);
      executions[e.kernel] += 1 / static_cast<double>(runs.size());
    }
    for (std::size_t k = 0; k < ns.size(); ++k) sums[k].push_back(ns[k]);
  }
  std::vector<PartKernel> out;
  for (const std::uint32_t k : c.order)
    out.push_back({c.kernels[k].name, c.kernels[k].type, stats::median(sums[k]), executions[k]});
  return out;
}

/// Wall time of the last sample of a single_runs() measurement.
Result<double> last_run(Result<Measurement> measured) {
  if (!measured.ok()) return std::move(measured).error();
  if (measured->failure) return std::move(*measured->failure);
  if (measured->samples.empty()) return bug("a run without a sample", "part_times");
  return static_cast<double>(measured->samples.back().wall.count);
}

}  // namespace

bool PartBench::interrupted() const {
  return request_.runtime.interrupted && request_.runtime.interrupted->load();
}

void PartBench::show(std::uint32_t number, std::string_view what, std::int64_t done,
                     std::int64_t total) const {
  if (request_.progress == nullptr) return;
  request_.progress->show(
      fmt::format("verifying, process {} of {}: {}", number, request_.processes, what), done,
      total);
}

Result<runtime::SessionId> PartBench::load(Runtime& runtime, const attribution::Canonical& copy,
                                           const std::vector<runtime::Weight>& weights) const {
  const runtime::Loaded loaded =
      TRY(runtime.load({.model = copy.bytes, .weights = weights, .dump = runtime::Dump::kNothing}));
  TRY(runtime.set_inputs(loaded.session, whole_->inputs));
  return loaded.session;
}

Result<PartBench::Started> PartBench::start(const attribution::Canonical& copy,
                                            const std::vector<runtime::Weight>& weights) const {
  Runtime runtime = TRY(Runtime::spawn(request_.runtime));
  const runtime::SessionId session = TRY(load(runtime, copy, weights));
  return Started{std::move(runtime), session};
}

/// Prepares the whole model with the sizes that the profile's processes used: written into the
/// copy, or free if the runtime refuses that.
Result<void> PartBench::prepare_whole() {
  if (whole_) return {};
  whole_ = TRY(prepare(resolved_, request_, CanonicalOptions::Sizes::kStatic));
  const Result<Started> runs = start(whole_->copy, whole_->weights);
  if (runs.ok()) return {};
  if (runs.error().error_class() != ErrorClass::kInput) return runs.error();
  whole_ = TRY(prepare(resolved_, request_, CanonicalOptions::Sizes::kAsDeclared));
  return {};
}

Result<PartBench::Part> PartBench::part_of(const PlannedCut& cut) const {
  Part part;
  part.copy = TRY(attribution::prefix(whole_->copy, resolved_, cut.cut.tensor));
  part.weights = TRY(weights_of(part.copy));
  return part;
}

Result<void> PartBench::take_turns(std::uint32_t number, const std::vector<Part>& parts,
                                   std::vector<PartTimes>& out) {
  std::vector<Started> started;
  started.push_back(TRY(start(whole_->copy, whole_->weights)));
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!out[i].failure.empty()) continue;
    show(number, "loading parts", static_cast<std::int64_t>(i), std::ssize(parts));
    Result<Started> one = start(parts[i].copy, parts[i].weights);
    if (one.ok()) {
      started.push_back(std::move(*one));
      of.push_back(i);
    } else {
      out[i].failure = one.error().summary();
    }
  }
  std::vector<runtime::Party> parties;
  for (Started& one : started) parties.push_back({&one.runtime, one.session});
  Plan plan = request_.plan;
  plan.settle_runs = 1;
  plan.profiled_per_round = 0;
  plan.threads = plan.counters = false;
  const std::vector<Result<Measurement>> measured = runtime::measure_in_turns(
      parties, plan,
      [&](const runtime::Progress& p) {
        show(number, fmt::format("{} in turns, {}", parties.size(), rounds_text(p)));
      },
      request_.runtime.interrupted);
  if (!measured[0].ok()) return measured[0].error();
  for (std::size_t k = 0; k < of.size(); ++k) {
    PartTimes& times = out[of[k]];
    const Result<Measurement>& own = measured[k + 1];
    if (!own.ok()) {
      times.failure = own.error().summary();
      continue;
    }
    append_pairs(*measured[0], *own, times);
    if (!times.kernels.empty() || interrupted() || own->failure) continue;
    Result<Measurement> listed = started[k + 1].runtime.measure(started[k + 1].session, kListPlan);
    if (listed.ok()) times.kernels = part_kernels_of(std::move(*listed));
  }
  return {};
}

Result<std::vector<PartTimes>> PartBench::in_turns(std::span<const PlannedCut> cuts) {
  TRY(prepare_whole());
  std::vector<Part> parts;
  for (const PlannedCut& cut : cuts) parts.push_back(TRY(part_of(cut)));
  std::vector<PartTimes> out(cuts.size());
  for (std::uint32_t n = 1; n <= request_.processes && !interrupted(); ++n) {
    const Result<void> taken = take_turns(n, parts, out);
    // One of several processes may crash; the results of the others count.
    if (!taken.ok() && n == request_.processes && out[0].whole_ns.empty()) return taken.error();
  }
  return out;
}

/// Measures in one process: whole, whole, part, and so on. The second run of the whole model is
/// paired with the part's run.
Result<void> PartBench::follow(const Part& part, PartTimes& out) const {
  Started whole = TRY(start(whole_->copy, whole_->weights));
  const runtime::SessionId session = TRY(load(whole.runtime, part.copy, part.weights));
  TRY(last_run(whole.runtime.measure(whole.session, single_runs(request_.plan.warmup_runs))));
  TRY(last_run(whole.runtime.measure(session, single_runs(request_.plan.warmup_runs))));
  std::vector<double>& w = out.whole_ns.emplace_back();
  std::vector<double>& p = out.part_ns.emplace_back();
  const Nanos begun = steady_clock().now();
  const Nanos budget = request_.plan.budget * 3;
  for (std::uint32_t round = 0; round < request_.plan.max_rounds && !interrupted(); ++round) {
    if (round >= request_.plan.min_rounds && steady_clock().now() - begun >= budget) break;
    const double ns = TRY(last_run(whole.runtime.measure(whole.session, single_runs(1))));
    p.push_back(TRY(last_run(whole.runtime.measure(session, single_runs(0)))));
    w.push_back(ns);
  }
  return {};
}

Result<PartTimes> PartBench::behind_whole(const PlannedCut& cut) {
  TRY(prepare_whole());
  const Part part = TRY(part_of(cut));
  PartTimes out;
  for (std::uint32_t n = 1; n <= request_.processes && !interrupted(); ++n) {
    show(n, "a part behind the whole model", n - 1, request_.processes);
    const Result<void> measured = follow(part, out);
    out.part_ns.resize(std::min(out.part_ns.size(), out.whole_ns.size()));
    for (std::size_t i = 0; i < out.part_ns.size(); ++i)
      out.part_ns[i].resize(std::min(out.part_ns[i].size(), out.whole_ns[i].size())),
          out.whole_ns[i].resize(out.part_ns[i].size());
    if (!measured.ok() && out.part_ns.empty()) return measured.error();
  }
  return out;
}

}  // namespace ridge::measure
