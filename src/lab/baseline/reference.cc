// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/version.h"
#include "lab/baseline/judge.h"
#include "lab/baseline/subjects.h"
#include "stats/outliers.h"

namespace ridge::lab {
namespace {

std::vector<BaselineMachine> machines_of(std::span<const MachineRun> runs) {
  std::vector<BaselineMachine> out;
  for (const MachineRun& run : runs) {
    auto at = std::ranges::find_if(out, [&](const BaselineMachine& m) {
      return m.name == run.machine.name && m.processor == run.machine.processor;
    });
    if (at == out.end())
      at = out.insert(out.end(),
                      {.name = run.machine.name, .processor = run.machine.processor, .runs = 0});
    ++at->runs;
  }
  std::ranges::sort(out, {},
                    [](const BaselineMachine& m) { return std::tie(m.name, m.processor); });
  return out;
}

/// Spreads by which one of `machines` must differ from the others, in a single test.
double spreads_needed(std::size_t machines, double significance) {
  const auto n = static_cast<double>(machines);
  return stats::prediction_reach({.outside = {}, .center = 0, .spread = 1, .kept = machines - 1},
                                 significance / (2 * n));
}

Error too_few(const BaselineRule& rule, std::size_t most) {
  std::string why = "no two machines: there is no spread";
  if (most >= 3)
    why = fmt::format(
        "at most {} share a test; one of {} would have to lie {:.0f} spreads off to be named at "
        "{:.0f} %, one of {} {:.1f}",
        most, most, spreads_needed(most, rule.false_accusations), 100 * rule.false_accusations,
        rule.least_machines, spreads_needed(rule.least_machines, rule.false_accusations));
  else if (most > 0)
    why = fmt::format("at most {} share a test, which gives no spread", most);
  return input_error("RIDGE-LAB-0070",
                     fmt::format("a baseline needs {} machines of one kind that ran the same",
                                 rule.least_machines))
      .evidence(std::move(why))
      .hint("measure the same models on more machines; ridge runs merge combines their databases");
}

void add_findings(Baseline& out) {
  for (std::uint32_t m = 0; m < out.machines.size(); ++m)
    for (const Subject& s : out.subjects)
      if (std::ranges::binary_search(s.outside, m))
        out.findings.push_back(finding_of(s, subject_name(s, out.points), m, out.machines[m].name));
}

/// A baseline's subjects beside one machine that may be one of its own.
class Checker {
 public:
  Checker(const Baseline& baseline, const MachineName& machine, std::span<const MachineRun> runs,
          BaselineCheck& out)
      : baseline_(baseline), machine_(machine), runs_(runs), out_(out) {}

  void run() {
    std::vector<Subject> subjects;
    for (const Subject& s : baseline_.subjects)
      if (s.processor == machine_.processor) subjects.push_back(without_this(s));
    share_significance(baseline_.rule, subjects);
    for (Subject& s : subjects) check(s);
    for (const MachineRun& run : runs_)
      if (!run.point.graph_hash.empty() && !has_point(run))
        leave_out(out_.left_out, "runs of points that the baseline lacks",
                  fmt::format("run {}", run.id));
  }

 private:
  /// Position of this machine's votes: behind those of the baseline.
  std::uint32_t here() const { return static_cast<std::uint32_t>(baseline_.machines.size()); }

  bool has_point(const MachineRun& run) const {
    return std::ranges::any_of(baseline_.points,
                               [&](const BaselinePoint& p) { return p.same_as(run.point); });
  }

  Subject without_this(Subject s) const {
    for (Thing& thing : s.things)
      std::erase_if(thing.votes, [&](const Vote& vote) {
        const BaselineMachine& m = baseline_.machines[vote.machine];
        return m.name == machine_.name && m.processor == machine_.processor;
      });
    return s;
  }

  void check(Subject& s) {
    const std::string name = subject_name(s, baseline_.points);
    if (!judge(baseline_.rule, s))
      return leave_out(out_.left_out, "tests with too few other machines", name);
    if (!add_votes(s)) return leave_out(out_.left_out, "not measured on this machine", name);
    ++out_.judged;
    const Slowness slowness = slowness_in(s, here()).value_or(Slowness());
    if (slowness.value > s.limit && slowness.best > 1 + baseline_.rule.least_difference)
      out_.findings.push_back(finding_of(s, name, here(), machine_.name));
  }

  /// Adds this machine's vote to each thing that it has; false: to none.
  bool add_votes(Subject& s) const {
    bool any = false;
    for (Thing& thing : s.things) {
      const std::vector<double> values = values_of(s, thing);
      if (values.empty()) continue;
      thing.votes.push_back(vote_of(here(), values, s.kind));
      any = true;
    }
    return any;
  }

  std::vector<double> values_of(const Subject& s, const Thing& thing) const {
    std::vector<double> out;
    for (const MachineRun& run : runs_) {
      if (s.kind == SubjectKind::kRoofs) {
        for (const machine::Roof& roof : run.profile.roofs)
          if (roof.threads == s.threads && roof_level(roof) == s.level &&
              roof_name(roof) == thing.name && roof.unit == thing.unit && roof.value > 0)
            out.push_back(roof.value);
        continue;
      }
      if (!baseline_.points[*s.point].same_as(run.point)) continue;
      if (s.kind == SubjectKind::kLatency)
        out.push_back(run.profile.latency.ns.value);
      else if (has_layer_times(run.profile))
        if (const auto time = time_of_nodes(run.profile, s.nodes)) out.push_back(*time);
    }
    return out;
  }

  const Baseline& baseline_;
  const MachineName& machine_;
  std::span<const MachineRun> runs_;
  BaselineCheck& out_;
};

}  // namespace

Result<Baseline> make_baseline(std::span<const MachineRun> runs, const BaselineOptions& options,
                               std::vector<LeftOut> left_out) {
  Baseline out;
  out.ridge_version = version();
  const Rows rows = options.rows;
  out.rows = rows == Rows::kModel ? "model" : "roof";
  out.rule = default_rule();
  out.rule.least_difference = options.least_difference;
  out.machines = machines_of(runs);
  out.left_out = std::move(left_out);
  std::vector<LeftOut> of_models;  // nobody asked for them
  Subjects found = subjects_of(runs, out.machines, rows == Rows::kModel ? out.left_out : of_models);
  out.points = std::move(found.points);
  std::size_t most = 0;
  for (Subject& s : found.subjects) {
    if (rows == Rows::kRoof && s.kind != SubjectKind::kRoofs) continue;
    const std::size_t machines = machines_in(s);
    most = std::max(most, machines);
    if (machines < out.rule.least_machines) {
      leave_out(out.left_out,
                fmt::format("tests with fewer than {} machines", out.rule.least_machines),
                fmt::format("{} ({} on {})", subject_name(s, out.points), machines, s.processor));
      continue;
    }
    out.subjects.push_back(std::move(s));
  }
  if (out.subjects.empty()) return too_few(out.rule, most);
  share_significance(out.rule, out.subjects);
  for (Subject& s : out.subjects) judge(out.rule, s);
  add_findings(out);
  return out;
}

Result<BaselineCheck> check_machine(const Baseline& baseline, const MachineName& machine,
                                    std::span<const MachineRun> runs,
                                    std::vector<LeftOut> left_out) {
  if (std::ranges::find(baseline.machines, machine.processor, &BaselineMachine::processor) ==
      baseline.machines.end())
    return input_error("RIDGE-LAB-0071", "the baseline has no machine of this kind")
        .evidence(fmt::format("this one: {}; the baseline's first: {}", machine.processor,
                              baseline.machines.empty() ? "none" : baseline.machines[0].processor))
        .hint("make a baseline of machines with the same processor");
  BaselineCheck out;
  out.machine = machine.name;
  out.processor = machine.processor;
  out.left_out = std::move(left_out);
  Checker(baseline, machine, runs, out).run();
  return out;
}

}  // namespace ridge::lab
