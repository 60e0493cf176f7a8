// SPDX-License-Identifier: Apache-2.0
#include "bricks/suite_goal.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_map>

#include "bricks/suite_process.h"
#include "stats/normal.h"

namespace ridge::bricks {
namespace {

/// Bricks of one model.
struct UsedBrick {
  std::size_t brick = 0;
  double count = 0;
};

std::vector<std::vector<UsedBrick>> uses_of(const Plan& plan) {
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t m = 0; m < plan.models.size(); ++m) position.emplace(plan.models[m].name, m);
  std::vector<std::vector<UsedBrick>> out(plan.models.size());
  for (std::size_t b = 0; b < plan.bricks.size(); ++b)
    for (const Occurrence& o : plan.bricks[b].occurrences) {
      std::vector<UsedBrick>& uses = out[position.at(o.model)];
      if (uses.empty() || uses.back().brick != b) uses.push_back({b, 0});
      ++uses.back().count;
    }
  return out;
}

ModelProgress progress(const std::string& name, const std::vector<UsedBrick>& uses,
                       const Plan& plan, const BrickTimes& times, const SuiteGoal& goal) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  ModelProgress out{.name = name, .estimate = {kUnknown}};
  std::vector<Term> terms;
  const bool whole = uses.size() == 1 && plan.bricks[uses[0].brick].whole;
  if (!whole) terms.push_back({&times.outside(), 1});
  for (const UsedBrick& use : uses) {
    if (const BrickTime* time = times.find(plan.bricks[use.brick].key))
      terms.push_back(time->term(use.count));
    else
      ++out.unmeasured;
  }
  out.half_width = std::numeric_limits<double>::infinity();
  if (out.unmeasured > 0 || times.outside().empty()) return out;
  const stats::Estimate sum = sum_of(terms);
  out.half_width = relative_half_width(sum);
  out.estimate = with_cuts(sum, terms);
  out.reached = out.half_width <= goal.width;
  return out;
}

std::int64_t mean_live_bytes(const Brick& brick) {
  // Divided before the sum, which cannot overflow then.
  const auto n = static_cast<std::int64_t>(brick.occurrences.size());
  std::int64_t mean = 0, rest = 0;
  for (const Occurrence& o : brick.occurrences) {
    mean += o.live_bytes / n;
    rest += o.live_bytes % n;
  }
  return mean + rest / n;
}

/// Mean over the occurrences of a brick of what far() gives for their models.
std::int64_t far_bytes(const Brick& brick,
                       const std::unordered_map<std::string_view, std::int64_t>& far) {
  double sum = 0;
  for (const Occurrence& o : brick.occurrences) sum += static_cast<double>(far.at(o.model));
  return static_cast<std::int64_t>(sum / static_cast<double>(brick.occurrences.size()));
}

/// A brick's part of the variance of a model's sum, and the time of its turn.
struct Part {
  std::size_t brick = 0;
  double variance = 0, rate = 0;  ///< rate: by time
};

/// The bricks of a model by descending rate.
std::vector<Part> parts_of(const std::vector<UsedBrick>& uses, const Plan& plan,
                           const BrickTimes& times) {
  std::unordered_map<std::uint32_t, double> all;  // U_p
  const auto each = [&](const UsedBrick& use, const auto& take) {
    const ProcessTimes& t = times.find(plan.bricks[use.brick].key)->times;
    const double center = mean(t), n = static_cast<double>(t.size());
    for (const ProcessTime& one : t) take(one.process, use.count * (one.ns - center) / n);
  };
  for (const UsedBrick& use : uses)
    each(use, [&](std::uint32_t process, double u) { all[process] += u; });
  std::vector<Part> out;
  for (const UsedBrick& use : uses) {
    Part part{.brick = use.brick};
    each(use, [&](std::uint32_t process, double u) { part.variance += u * all[process]; });
    part.rate = part.variance / std::max(1.0, times.find(plan.bricks[use.brick].key)->mean_ns());
    out.push_back(part);
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &Part::rate);
  return out;
}

/// Processes that a model of this half-width after `n` processes would need; 0 if that is unknown.
double processes_needed(double half_width, std::size_t n, const SuiteGoal& goal) {
  if (n < 2 || !std::isfinite(half_width)) return 0;
  const auto count = static_cast<double>(n);
  const double few = stats::student_quantile(0.975, count - 1);
  return count * std::pow(half_width / goal.width * stats::normal_quantile(0.975) / few, 2);
}

/// True for a brick that could not be measured, for another reason than the budget.
bool is_lost(const BrickTimes& times, const Brick& brick) {
  const std::string why = times.lost(brick.key);
  return !why.empty() && why != kBudgetSpent;
}

/// True for bricks that some models have and others lack.
std::vector<bool> differing(const std::vector<std::vector<UsedBrick>>& uses, std::size_t bricks) {
  std::vector<std::size_t> models(bricks);
  for (const std::vector<UsedBrick>& of_model : uses)
    for (const UsedBrick& use : of_model) ++models[use.brick];
  std::vector<bool> out(bricks);
  for (std::size_t b = 0; b < bricks; ++b) out[b] = models[b] > 0 && models[b] < uses.size();
  return out;
}

/// If one of these bricks is wanted, so are all; `lost`: except those that cannot be measured.
void want_together(const std::vector<bool>& bricks, const std::function<bool(std::size_t)>& lost,
                   std::vector<std::set<std::int64_t>>& wanted) {
  std::set<std::int64_t> reuse;
  for (std::size_t b = 0; b < bricks.size(); ++b)
    if (bricks[b]) reuse.insert(wanted[b].begin(), wanted[b].end());
  for (std::size_t b = 0; b < bricks.size(); ++b)
    if (bricks[b] && !lost(b)) wanted[b].insert(reuse.begin(), reuse.end());
}

}  // namespace

std::vector<ModelProgress> progress_of(const Plan& plan, const SuiteTimes& times,
                                       const SuiteGoal& goal) {
  const std::vector<std::vector<UsedBrick>> uses = uses_of(plan);
  std::vector<ModelProgress> out;
  for (std::size_t m = 0; m < plan.models.size(); ++m) {
    const PlannedModel& model = plan.models[m];
    out.push_back(progress(model.name, uses[m], plan, times.of(model.resident_bytes), goal));
  }
  return out;
}

std::vector<Wanted> to_measure(const Plan& plan, const SuiteTimes& times, const SuiteGoal& goal) {
  std::vector<std::set<std::int64_t>> wanted(plan.bricks.size());  // reuse distances by brick
  const std::vector<std::vector<UsedBrick>> uses = uses_of(plan);
  for (std::size_t m = 0; m < plan.models.size(); ++m) {
    const std::int64_t reuse = times.reuse(plan.models[m].resident_bytes);
    const BrickTimes& known = times.at(reuse);
    const auto measured_in = [&](std::size_t b) -> std::size_t {
      const BrickTime* time = known.find(plan.bricks[b].key);
      return time == nullptr || time->apart > 0 ? 0 : time->processes;
    };
    for (const UsedBrick& use : uses[m])
      if (measured_in(use.brick) < goal.processes && !is_lost(known, plan.bricks[use.brick]))
        wanted[use.brick].insert(reuse);
    const ModelProgress model = progress(plan.models[m].name, uses[m], plan, known, goal);
    if (model.reached || model.unmeasured > 0) continue;
    std::size_t processes = goal.max_processes;
    for (const UsedBrick& use : uses[m]) processes = std::min(processes, measured_in(use.brick));
    if (processes_needed(model.half_width, processes, goal) > goal.max_processes) continue;
    const std::vector<Part> parts = parts_of(uses[m], plan, known);
    double all = 0, sum = 0;
    for (const Part& part : parts) all += part.variance;
    for (const Part& part : parts) {
      if (sum >= kShareOfVariance * all) break;
      sum += part.variance;
      if (measured_in(part.brick) < goal.max_processes) wanted[part.brick].insert(reuse);
    }
  }
  if (goal.paired)
    want_together(
        differing(uses, plan.bricks.size()),
        [&](std::size_t b) { return is_lost(times.at(0), plan.bricks[b]); }, wanted);
  std::unordered_map<std::string_view, std::int64_t> far;  // by model
  for (const PlannedModel& model : plan.models)
    far.emplace(model.name, times.far(model.traffic_bytes));
  std::vector<Wanted> out;
  for (std::size_t b = 0; b < wanted.size(); ++b)
    if (!wanted[b].empty())
      out.push_back({b,
                     {wanted[b].begin(), wanted[b].end()},
                     mean_live_bytes(plan.bricks[b]),
                     far_bytes(plan.bricks[b], far)});
  std::ranges::stable_sort(out, std::ranges::greater{}, [&](const Wanted& w) {
    const Brick& brick = plan.bricks[w.brick];
    return static_cast<double>(brick.occurrences.size()) *
           (static_cast<double>(brick.macs) + static_cast<double>(brick.bytes));
  });
  return out;
}

}  // namespace ridge::bricks
