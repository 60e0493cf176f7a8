// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/bricks/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/number.h"
#include "base/percent.h"
#include "base/text.h"

namespace ridge::cli {
namespace {

using bricks::Plan;
using exports::Align;

/// MACs and nodes of a model that no brick stands for.
struct Left {
  std::int64_t nodes = 0, macs = 0;
};
Left left_of(const Plan& plan, const bricks::PlannedModel& model) {
  Left left{.nodes = 0, .macs = model.macs};
  for (const bricks::Brick& b : plan.bricks)
    for (const bricks::Occurrence& o : b.occurrences)
      if (o.model == model.name) left.macs -= b.macs;
  for (const bricks::LeftOver& l : plan.left_over)
    if (l.model == model.name) left.nodes += std::ssize(l.nodes);
  return left;
}

/// "3.1%"; in documents for programs a share. "" if unknown.
std::string share_cell(double share, bool exact, bool sign = false) {
  if (!std::isfinite(share)) return {};
  if (exact) return fmt::format("{:.4f}", share);
  return sign ? signed_percent(share) : percent(share);
}

/// Bricks that were not measured, by reason, with the first of each.
std::string lost_text(const Plan& plan, const bricks::BrickTimes& times) {
  std::map<std::string, std::vector<std::string>> files;
  for (const bricks::Brick& b : plan.bricks)
    if (const std::string why = times.lost(b.key); !why.empty()) files[why].push_back(b.file);
  std::string out;
  for (const auto& [why, names] : files)
    out += fmt::format("not measured: {}{}: {}\n", printable(names[0]),
                       names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "",
                       printable(why));
  return out;
}

std::string seconds_text(double seconds) { return duration(seconds * 1e9); }

}  // namespace

exports::Table table_of(const bricks::PlannedBricks& done, bool exact) {
  exports::Table table({{"model"},
                        {"MACs", Align::kRight},
                        {"pieces", Align::kRight},
                        {"unique", Align::kRight},
                        {"new", Align::kRight},
                        {"nodes left over", Align::kRight},
                        {"their MACs", Align::kRight}});
  const auto number = [&](std::int64_t n) {
    return exact ? std::to_string(n) : si(static_cast<double>(n));
  };
  for (const bricks::PlannedModel& m : done.plan.models) {
    if (std::ranges::find(done.planned, m.name) == done.planned.end()) continue;
    const Left left = left_of(done.plan, m);
    table.add({m.name, number(m.macs), std::to_string(m.bricks), std::to_string(m.unique),
               std::to_string(m.added), std::to_string(left.nodes), number(left.macs)});
  }
  return table;
}

exports::Table table_of(const std::vector<bricks::ModelProgress>& models, bool exact) {
  exports::Table table({{"model"},
                        {exact ? "estimate_ns" : "estimate", Align::kRight},
                        {exact ? "half_width" : "+-", Align::kRight},
                        {exact ? "measuring_half_width" : "of it measuring", Align::kRight},
                        {"bricks not measured", Align::kRight},
                        {"width reached"}});
  for (const bricks::ModelProgress& m : models)
    table.add({m.name, exports::duration_cell(m.estimate.value, exact),
               share_cell(bricks::relative_half_width(m.estimate), exact),
               share_cell(m.half_width, exact), std::to_string(m.unmeasured),
               m.reached ? "yes" : "no"});
  return table;
}

exports::Table table_of(const bricks::EstimateDocument& estimates, bool exact) {
  exports::Table table({{"model"},
                        {exact ? "estimate_ns" : "estimate", Align::kRight},
                        {exact ? "half_width" : "+-", Align::kRight},
                        {exact ? "critical_path_ns" : "critical path", Align::kRight},
                        {exact ? "outside_layers_ns" : "outside layers", Align::kRight},
                        {"measured", Align::kRight},
                        {"predicted", Align::kRight},
                        {"missing", Align::kRight}});
  for (const bricks::ModelEstimate& m : estimates.models)
    table.add({m.name, exports::duration_cell(m.total.value, exact),
               share_cell(bricks::relative_half_width(m.total), exact),
               exports::duration_cell(m.critical_path_ns, exact),
               exports::duration_cell(m.outside.value, exact), share_cell(m.measured_share, exact),
               share_cell(m.predicted_share, exact), std::to_string(m.missing)});
  return table;
}

exports::Table table_of(const bricks::Check& check, bool exact) {
  exports::Table table({{"model"},
                        {exact ? "measured_ns" : "measured", Align::kRight},
                        {exact ? "measured_half_width" : "+-", Align::kRight},
                        {exact ? "estimate_ns" : "estimate", Align::kRight},
                        {exact ? "half_width" : "+-", Align::kRight},
                        {"error", Align::kRight},
                        {"intervals meet"}});
  for (const bricks::CheckedModel& m : check.models)
    table.add({m.name, exports::duration_cell(m.measured.value, exact),
               share_cell(bricks::relative_half_width(m.measured), exact),
               exports::duration_cell(m.estimate.value, exact),
               share_cell(bricks::relative_half_width(m.estimate), exact),
               share_cell(m.error(), exact, true), m.intervals_meet() ? "yes" : "no"});
  return table;
}

std::string summary_text(const bricks::PlannedBricks& done, const std::string& folder) {
  std::size_t occurrences = 0;
  for (const bricks::Brick& b : done.plan.bricks) occurrences += b.occurrences.size();
  std::string out;
  if (!done.planned.empty())
    out = fmt::format("{}: {} of {} for {} in {}; planned in {}, {} loaded to check kernels\n",
                      printable(folder), counted(std::ssize(done.plan.bricks), "brick"),
                      done.plan.runtime, counted(static_cast<std::int64_t>(occurrences), "piece"),
                      counted(std::ssize(done.plan.models), "model"), duration(done.seconds * 1e9),
                      counted(std::int64_t{done.checked}, "candidate"));
  for (const std::string& model : done.failed)
    out += fmt::format("not planned: {}\n", printable(model));
  return out;
}

std::string summary_text(const bricks::BricksSuite& suite, double width) {
  const bricks::SuiteCost& cost = suite.cost();
  const bricks::BrickTimes& times = suite.times().at(0);
  std::string out;
  if (cost.processes == 0)
    out += "nothing to measure: the store has every brick of this plan\n";
  else
    out +=
        fmt::format("measured {} in {}: loading {}, running {}\n",
                    counted(static_cast<std::int64_t>(cost.processes), "process"),
                    seconds_text(cost.wall_s), seconds_text(cost.load_s), seconds_text(cost.run_s));
  if (times.disturbed() > 0)
    out += fmt::format("{} of {} runs dropped: other programs used the processor\n",
                       times.disturbed(), times.runs());
  out += lost_text(suite.plan(), times);
  for (const bricks::ModelProgress& m : suite.progress())
    if (!m.reached)
      out += m.unmeasured > 0
                 ? fmt::format("incomplete: {}: {} not measured, which estimates predict\n",
                               printable(m.name),
                               counted(static_cast<std::int64_t>(m.unmeasured), "brick"))
                 : fmt::format(
                       "too wide: {}: +-{}, more than {}; twice the time gives about +-{}\n",
                       printable(m.name), share_cell(m.half_width, false), share_cell(width, false),
                       share_cell(bricks::width_after_twice_the_time(m.half_width), false));
  return out;
}

/// "2.5 times less than the models", or "1.4 times as long as the models". `saved`: the models'
/// time over that of the bricks.
std::string saving_text(double saved) {
  return saved >= 1 ? fmt::format("{:.1f} times less than the models", saved)
                    : fmt::format("{:.1f} times as long as the models", 1 / saved);
}

/// Why pieces of a model have no time, each reason once.
std::string reasons_text(const bricks::ModelEstimate& model) {
  std::map<std::string, std::int64_t> reasons;
  for (const bricks::EstimatedLayer& layer : model.layers)
    if (layer.source == bricks::Source::kMissing) ++reasons[layer.why];
  std::string out;
  for (const auto& [why, pieces] : reasons)
    out += fmt::format("  {}: {}\n", counted(pieces, "piece"), printable(why));
  return out;
}

std::string summary_text(const bricks::EstimateDocument& estimates) {
  std::string out;
  for (const bricks::ModelEstimate& m : estimates.models) {
    if (m.missing > 0)
      out += fmt::format("no estimate: {}: {} of {} {}\n", printable(m.name), m.missing,
                         counted(std::ssize(m.layers), "piece"),
                         m.missing == 1 ? "has no time" : "have no time") +
             reasons_text(m);
    else if (m.predicted > 0)
      out += fmt::format(
          "predicted: {}: {} of {}, {} of the estimate, from bricks of other sizes; to measure "
          "them, plan the model and run its bricks\n",
          printable(m.name), m.predicted, counted(std::ssize(m.layers), "piece"),
          share_cell(m.predicted_share, false));
  }
  return out;
}

std::string summary_text(const bricks::Check& check, const std::vector<std::string>& too_wide) {
  const bricks::CheckSummary s = bricks::summary_of(check);
  std::string out;
  if (!check.models.empty())
    out +=
        fmt::format("errors of {}: MAPE {}, p95 {}, worst {}, bias {}; {} of {} intervals meet\n",
                    counted(std::ssize(check.models), "model"), share_cell(s.mape, false),
                    share_cell(s.p95, false), share_cell(s.worst, false),
                    share_cell(s.bias, false, true), s.intervals_met, check.models.size());
  const bricks::CheckTimes& t = check.times;
  out += fmt::format("time: bricks {} (planning {}, loading {}, running {}), models {}\n",
                     seconds_text(t.plan_s + t.load_s + t.run_s), seconds_text(t.plan_s),
                     seconds_text(t.load_s), seconds_text(t.run_s), seconds_text(s.models_s));
  if (check.measured_before)
    out += "time saved: not judged, the store had bricks; name a new one\n";
  else if (s.counted == 0)
    out += fmt::format("time saved: not judged, of no model did both sides reach +-{}\n",
                       share_cell(check.width, false));
  else
    out +=
        fmt::format("time saved: bricks took {}; {} of {}, measured to +-{}, estimated to +-{}\n",
                    saving_text(s.saved), s.counted, counted(std::ssize(check.models), "model"),
                    share_cell(s.models_width, false), share_cell(s.estimates_width, false));
  if (std::isfinite(s.saved_equal_runs))
    out += "time saved at equal runs: bricks would take " + saving_text(s.saved_equal_runs) + "\n";
  for (const bricks::CheckedModel& m : check.models) {
    if (m.comparable()) continue;
    const bool whole = !m.narrow;
    const double half = whole ? m.measured_width : m.estimate_width;
    out += fmt::format("excluded from the time saved: {}: {} {}\n", printable(m.name),
                       whole ? "measured" : "estimated",
                       std::isfinite(half) ? "only to +-" + share_cell(half, false)
                                           : std::string("in too few processes"));
  }
  for (const std::string& name : too_wide)
    out += fmt::format("too wide: estimate of {}\n", printable(name));
  for (const std::string& name : check.without_estimate)
    out += fmt::format("no estimate: {}\n", printable(name));
  return out;
}

}  // namespace ridge::cli
