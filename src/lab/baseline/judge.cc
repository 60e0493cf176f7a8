// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "stats/outliers.h"
#include "stats/samples.h"

namespace ridge::lab {
namespace {

/// The exponential of more is no number of a document.
constexpr double kMostLog = 700;

/// ln(slowness) of a value.
double log_slowness(SubjectKind kind, double value, double center) {
  const double ratio = std::log(value / center);
  return kind == SubjectKind::kRoofs ? -ratio : ratio;
}

/// Median; of an even number of values the middle one closer to 0, and 0 between two signs.
double agreed(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  const double low = values[(n - 1) / 2], high = values[n / 2];
  if (low <= 0 && high >= 0) return 0;
  return std::abs(low) < std::abs(high) ? low : high;
}

/// Scores of machines: by machine, of the votes, and of the best run and roof.
struct Scores {
  std::vector<std::uint32_t> machines;
  std::vector<double> value, best;
};

Scores scores_of(const Subject& s) {
  std::map<std::uint32_t, std::array<std::vector<double>, 2>> all;
  for (const Thing& thing : s.things)
    for (const Vote& vote : thing.votes) {
      all[vote.machine][0].push_back(log_slowness(s.kind, vote.value, thing.center));
      all[vote.machine][1].push_back(log_slowness(s.kind, vote.best, thing.center));
    }
  Scores out;
  for (auto& [machine, scores] : all) {
    out.machines.push_back(machine);
    out.value.push_back(agreed(std::move(scores[0])));
    out.best.push_back(*std::ranges::min_element(scores[1]));
  }
  return out;
}

/// Sets the centers of things to the median of the votes of machines that are not in `without`.
void set_centers(Subject& s, const std::set<std::uint32_t>& without) {
  for (Thing& thing : s.things) {
    std::vector<double> values;
    for (const Vote& vote : thing.votes)
      if (!without.contains(vote.machine)) values.push_back(vote.value);
    if (!values.empty()) thing.center = stats::median(values);
  }
}

stats::Outliers test(const Scores& scores, double significance) {
  return stats::outliers(scores.value,
                         {.significance = significance, .most = scores.machines.size() / 4});
}

Evidence evidence_of(const Subject& s, const Thing& thing, double value) {
  return {.thing = thing.name,
          .unit = thing.unit,
          .value = value,
          .low = thing.center / s.limit,
          .high = thing.center * s.limit,
          .ratio = value / thing.center};
}

}  // namespace

BaselineRule default_rule() {
  return {.method =
              "One vote per machine: the median of its runs, of a roof the best. ln(slowness) over "
              "machines, of the roofs of a level their median, of the middle two the one closer to "
              "0; outliers by the generalized extreme Studentized deviate test (Rosner 1983, "
              "Technometrics "
              "25:165); center and spread of the others; another machine by the t-interval of "
              "prediction, n - 1 degrees of freedom. The chance of a false accusation is divided "
              "evenly between roofs, latencies and layers, and within these between the tests "
              "(Bonferroni). Named is who is slower in each run, of roofs in each of the "
              "level, by more than the least difference."};
}

std::size_t machines_in(const Subject& subject) {
  std::set<std::uint32_t> machines;
  for (const Thing& thing : subject.things)
    for (const Vote& vote : thing.votes) machines.insert(vote.machine);
  return machines.size();
}

void share_significance(const BaselineRule& rule, std::vector<Subject>& subjects) {
  std::map<SubjectKind, double> counts;
  for (const Subject& s : subjects) ++counts[s.kind];
  for (Subject& s : subjects)
    s.significance =
        rule.false_accusations / static_cast<double>(counts.size()) / counts.at(s.kind);
}

bool judge(const BaselineRule& rule, Subject& s) {
  if (machines_in(s) < rule.least_machines) return false;
  set_centers(s, {});
  const Scores around_all = scores_of(s);
  std::set<std::uint32_t> far;
  for (const std::size_t i : test(around_all, s.significance).outside)
    far.insert(around_all.machines[i]);
  set_centers(s, far);
  const Scores scores = scores_of(s);
  const stats::Outliers found = test(scores, s.significance);
  const double least = std::log1p(rule.least_difference);
  s.machines = static_cast<std::uint32_t>(found.kept);
  s.center = std::exp(found.center);
  s.spread = std::exp(std::min(found.spread, kMostLog));
  const double reach = found.center + stats::prediction_reach(found, s.significance);
  s.limit = std::exp(std::clamp(reach, least, kMostLog));
  s.outside.clear();
  for (const std::size_t i : found.outside)
    if (scores.value[i] > least && scores.best[i] > least) s.outside.push_back(scores.machines[i]);
  std::ranges::sort(s.outside);
  return true;
}

OffFinding finding_of(const Subject& s, const std::string& name, std::uint32_t machine,
                      const std::string& machine_name) {
  OffFinding out{.machine = machine_name,
                 .kind = s.kind,
                 .subject = name,
                 .limit = s.limit,
                 .machines = s.machines,
                 .evidence = {}};
  if (const auto slowness = slowness_in(s, machine)) out.slowness = slowness->value;
  for (const Thing& thing : s.things)
    for (const Vote& vote : thing.votes)
      if (vote.machine == machine) out.evidence.push_back(evidence_of(s, thing, vote.value));
  return out;
}

std::optional<Slowness> slowness_in(const Subject& subject, std::uint32_t machine) {
  const Scores scores = scores_of(subject);
  const auto at = std::ranges::find(scores.machines, machine);
  if (at == scores.machines.end()) return std::nullopt;
  const auto i = static_cast<std::size_t>(at - scores.machines.begin());
  return Slowness{std::exp(scores.value[i]), std::exp(scores.best[i])};
}

}  // namespace ridge::lab
