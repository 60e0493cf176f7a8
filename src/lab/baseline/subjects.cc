// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/subjects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "compare/group_name.h"
#include "compare/groups.h"
#include "compare/node_join.h"
#include "profile/summary.h"
#include "stats/samples.h"

namespace ridge::lab {
namespace {

using Values = std::vector<double>;
using Runs = std::vector<const MachineRun*>;

std::string run_name(const MachineRun& run) {
  return run.id == 0 ? run.machine.name : fmt::format("run {} of {}", run.id, run.machine.name);
}

Thing thing_of(std::string name, std::string unit, const std::map<std::uint32_t, Values>& values,
               SubjectKind kind) {
  Thing out{.name = std::move(name), .unit = std::move(unit), .center = 0, .votes = {}};
  for (const auto& [machine, list] : values) out.votes.push_back(vote_of(machine, list, kind));
  return out;
}

class Builder {
 public:
  Builder(std::span<const MachineRun> runs, const std::vector<BaselineMachine>& machines,
          std::vector<LeftOut>& left_out)
      : machines_(machines), left_out_(left_out) {
    for (const MachineRun& run : runs)
      if (machine_of_run(run)) runs_.push_back(&run);
  }

  Subjects run() && {
    add_roofs();
    const std::vector<Runs> by_point = sort_by_point();
    for (std::uint32_t point = 0; point < by_point.size(); ++point)
      add_latency(point, by_point[point]);
    for (std::uint32_t point = 0; point < by_point.size(); ++point)
      add_layers(point, by_point[point]);
    return std::move(out_);
  }

 private:
  std::optional<std::uint32_t> machine_of_run(const MachineRun& run) const {
    for (std::uint32_t m = 0; m < machines_.size(); ++m)
      if (machines_[m].name == run.machine.name && machines_[m].processor == run.machine.processor)
        return m;
    return std::nullopt;
  }

  void add_roofs() {
    using Key = std::tuple<std::string, std::int32_t, std::string>;  // processor, threads, level
    std::map<Key, std::map<std::pair<std::string, std::string>, std::map<std::uint32_t, Values>>>
        levels;  // by name and unit of the roof, and machine
    for (const MachineRun* run : runs_)
      for (const machine::Roof& roof : run->profile.roofs) {
        if (!(roof.value > 0)) continue;
        auto& level = levels[{run->machine.processor, roof.threads, roof_level(roof)}];
        level[{roof_name(roof), roof.unit}][*machine_of_run(*run)].push_back(roof.value);
      }
    for (const auto& [key, roofs] : levels) {
      Subject s;
      std::tie(s.processor, s.threads, s.level) = key;
      for (const auto& [roof, values] : roofs)
        s.things.push_back(thing_of(roof.first, roof.second, values, s.kind));
      out_.subjects.push_back(std::move(s));
    }
  }

  std::vector<Runs> sort_by_point() {
    std::vector<Runs> out;
    for (const MachineRun* run : runs_) {
      const auto same = std::ranges::find_if(
          out_.points, [&](const BaselinePoint& p) { return p.same_as(run->point); });
      const auto at = static_cast<std::size_t>(same - out_.points.begin());
      if (same == out_.points.end()) {
        out_.points.push_back(run->point);
        out.emplace_back();
      }
      out[at].push_back(run);
    }
    return out;
  }

  Subject subject_of(std::uint32_t point, SubjectKind kind) const {
    Subject s;
    s.kind = kind;
    s.point = point;
    s.processor = out_.points[point].processor;
    return s;
  }

  void add_latency(std::uint32_t point, const Runs& runs) {
    std::map<std::uint32_t, Values> values;
    for (const MachineRun* run : runs)
      values[*machine_of_run(*run)].push_back(run->profile.latency.ns.value);
    Subject s = subject_of(point, SubjectKind::kLatency);
    s.things.push_back(thing_of("latency", "ns", values, s.kind));
    out_.subjects.push_back(std::move(s));
  }

  void add_layers(std::uint32_t point, const Runs& all) {
    std::vector<compare::Run> runs;
    Runs timed;
    for (const MachineRun* run : all) {
      if (!has_layer_times(run->profile) || run->profile.nodes.empty()) {
        leave_out(left_out_, "layers of runs without layer times of their own", run_name(*run));
        continue;
      }
      timed.push_back(run);
      runs.push_back({.label = run_name(*run), .profile = run->profile});
    }
    if (runs.empty()) return;
    const Result<compare::NodeJoin> join = compare::join_nodes(runs);
    if (!join.ok()) {
      leave_out(left_out_, "layers of a point whose runs have other nodes", runs[0].label);
      return;
    }
    for (const compare::Group& group : compare::common_groups(runs, *join).groups)
      add_group(point, timed, *join, group);
  }

  void add_group(std::uint32_t point, const Runs& runs, const compare::NodeJoin& join,
                 const compare::Group& group) {
    Subject s = subject_of(point, SubjectKind::kLayer);
    std::vector<const profile::Node*> nodes;
    for (const std::uint32_t n : group.nodes) {
      const compare::NodeJoin::Place place = join.nodes[n];
      nodes.push_back(&runs[place.run]->profile.nodes[place.node]);
      s.nodes.push_back(place.node);
    }
    std::ranges::sort(s.nodes);
    std::map<std::uint32_t, Values> values;
    Values shares;
    for (const MachineRun* run : runs) {
      const std::optional<double> time = time_of_nodes(run->profile, s.nodes);
      if (!time) continue;
      values[*machine_of_run(*run)].push_back(*time);
      shares.push_back(*time / run->profile.latency.ns.value);
    }
    const std::string name = compare::group_label(nodes);
    if (shares.size() < runs.size() || stats::median(shares) < kLeastLayerShare) {
      leave_out(
          left_out_,
          shares.size() < runs.size()
              ? "layer groups that a run does not time apart"
              : fmt::format("layer groups below {:.0f} % of the latency", 100 * kLeastLayerShare),
          fmt::format("{}: {}", out_.points[point].model, name));
      return;
    }
    s.things.push_back(thing_of(name, "ns", values, s.kind));
    out_.subjects.push_back(std::move(s));
  }

  const std::vector<BaselineMachine>& machines_;
  std::vector<LeftOut>& left_out_;
  Runs runs_;
  Subjects out_;
};

}  // namespace

std::string roof_level(const machine::Roof& roof) {
  return roof.level.empty() ? "compute" : roof.level;
}

std::string roof_name(const machine::Roof& roof) {
  return roof.level.empty() ? roof.dtype : roof.kind;
}

Vote vote_of(std::uint32_t machine, const std::vector<double>& values, SubjectKind kind) {
  const auto [least, most] = std::ranges::minmax(values);
  const bool roof = kind == SubjectKind::kRoofs;
  return {.machine = machine,
          .value = roof ? most : stats::median(values),
          .best = roof ? most : least,
          .runs = static_cast<std::uint32_t>(values.size())};
}

bool has_layer_times(const profile::Profile& profile) { return profile::is_corrected(profile); }

std::optional<double> time_of_nodes(const profile::Profile& profile,
                                    const std::vector<std::uint32_t>& nodes) {
  const auto ours = [&](const profile::Member& m) {
    return std::ranges::binary_search(nodes, m.node);
  };
  double sum = 0;
  for (const profile::Layer& layer : profile.layers) {
    const auto members = std::ranges::count_if(layer.members, ours);
    if (members == 0) continue;
    if (members != std::ssize(layer.members) || layer.below_resolution) return std::nullopt;
    sum += layer.corrected_ns;
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

Subjects subjects_of(std::span<const MachineRun> runs, const std::vector<BaselineMachine>& machines,
                     std::vector<LeftOut>& left_out) {
  return Builder(runs, machines, left_out).run();
}

std::string subject_name(const Subject& s, const std::vector<BaselinePoint>& points) {
  if (!s.point)
    return fmt::format("{} roofs, {}", s.level, counted(std::int64_t{s.threads}, "thread"));
  const BaselinePoint& p = points[*s.point];
  std::string out = p.model;
  if (!p.sizes.empty()) out += ", " + p.sizes;
  out +=
      fmt::format(", {} {}", p.runtime, p.runtime_version.substr(0, p.runtime_version.find('-')));
  if (p.threads > 0) out += ", " + counted(std::int64_t{p.threads}, "thread");
  return out + ": " + (s.things.empty() ? std::string() : s.things[0].name);
}

}  // namespace ridge::lab
