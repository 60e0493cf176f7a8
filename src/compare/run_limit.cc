// SPDX-License-Identifier: Apache-2.0
#include "compare/run_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "base/suggest.h"
#include "base/text.h"
#include "compare/run_labels.h"

namespace ridge::compare {
namespace {

using stats::Interval;

Error unreadable_run_limit(std::string_view text, std::string hint) {
  return usage_error("RIDGE-CMP-0006",
                     fmt::format("'{}' is not a valid limit for a comparison", text))
      .hint(std::move(hint));
}

struct Unit {
  std::string_view name;
  double times;
  bool relative;
};
constexpr std::array kUnits = {Unit{"%", 0.01, true}, Unit{"ns", 1, false}, Unit{"us", 1e3, false},
                               Unit{"ms", 1e6, false}, Unit{"s", 1e9, false}};

struct Subject {
  std::string_view prefix;
  RunLimit::Of of;
};
constexpr std::array kNamed = {Subject{"module:", RunLimit::Of::kModule},
                               Subject{"op:", RunLimit::Of::kOperator}};

Result<void> read_subject(std::string_view subject, RunLimit& limit) {
  if (subject == "latency" || subject == "group") {
    limit.of = subject == "group" ? RunLimit::Of::kGroup : RunLimit::Of::kLatency;
    return {};
  }
  for (const Subject& named : kNamed)
    if (subject.starts_with(named.prefix) && subject.size() > named.prefix.size()) {
      limit.of = named.of;
      limit.name = subject.substr(named.prefix.size());
      return {};
    }
  return unreadable_run_limit(limit.text, "supported: latency, group, module:PATH, op:TYPE");
}

Result<void> read_bound(std::string_view bound, RunLimit& limit) {
  const auto [end, error] = std::from_chars(bound.data(), bound.data() + bound.size(), limit.bound);
  const std::string_view unit = bound.substr(static_cast<std::size_t>(end - bound.data()));
  for (const Unit& known : kUnits) {
    if (error != std::errc() || unit != known.name || !std::isfinite(limit.bound)) continue;
    limit.relative = known.relative;
    limit.bound *= known.times;
    return {};
  }
  return unreadable_run_limit(limit.text,
                              "the bound is a percentage, or a time in ns, us, ms or s");
}

std::optional<Interval> interval(const RunLimit& limit, const stats::Change& c, double confidence) {
  return limit.relative ? c.ratio_interval(confidence) : c.difference_interval(confidence);
}

/// Range of changes that meet the limit.
Interval allowed(const RunLimit& limit) {
  constexpr double kAnything = -std::numeric_limits<double>::infinity();
  return {kAnything, limit.relative ? 1 + limit.bound : limit.bound};
}

double doubt(const RunLimit& limit, const stats::Change& c) {
  return stats::doubt([&](double confidence) { return interval(limit, c, confidence); },
                      allowed(limit));
}

/// Formats a ratio as "+5.0"; "more" if it exceeds 100.
std::string percent_text(double ratio) {
  constexpr double kMax = 100;
  return ratio > kMax ? "more" : fmt::format("{:+.1f}", 100 * (ratio - 1));
}

/// Formats a change with its interval: "+51.0 % [-5.0, +142.0]".
std::string change_text(const RunLimit& limit, const stats::Change& change, const Interval& ci) {
  if (limit.relative)
    return fmt::format("{} % [{}, {}]", percent_text(change.ratio()), percent_text(ci.lo),
                       percent_text(ci.hi));
  const auto text = [](double ns) { return (ns < 0 ? "-" : "+") + duration(std::abs(ns)); };
  return fmt::format("{} [{}, {}]", text(change.difference()), text(ci.lo), text(ci.hi));
}

/// Checks of one column against one limit.
class Column {
 public:
  Column(const RunLimit& limit, const Comparison& c, std::size_t run, Uncertain uncertain)
      : limit_(limit),
        c_(c),
        run_(run),
        uncertain_(uncertain),
        other_machine_(on_different_machines(c.runs[0].profile, c.runs[run].profile)) {}

  bool can_be_judged(const Row& row) const {
    const Cell& cell = row.cells[run_];
    return cell.change && (!limit_.relative || !std::isnan(cell.change->ratio()));
  }
  double doubt_of(const Row& row) const { return doubt(limit_, *row.cells[run_].change); }

  bool past(const Row& row, double confidence) const {
    return stats::finding(interval_of(row, confidence), allowed(limit_)) == stats::Finding::kAbove;
  }
  /// True if the bound lies inside the interval, or there is no interval.
  bool is_open(const Row& row, double confidence) const {
    const auto ci = interval_of(row, confidence);
    return !ci || (ci->lo <= allowed(limit_).hi && allowed(limit_).hi < ci->hi);
  }

  /// Describes a row: "latency takes 1.385 ms in ort and 1.225 ms in openvino, -11.5 % [-12.1,
  /// -11.0]".
  std::string found(const Row& row, double confidence) const {
    const Cell& cell = row.cells[run_];
    const auto ci = interval_of(row, confidence);
    return fmt::format("{} takes {} in {} and {} in {}{}", row.label,
                       duration(row.cells[0].time_ns.value_or(0)), c_.runs[0].label,
                       duration(cell.time_ns.value_or(0)), c_.runs[run_].label,
                       ci ? ", " + change_text(limit_, *cell.change, *ci) : "");
  }

  std::string open_text(const Row& row) const {
    const bool few = row.cells[run_].processes < kProcesses;
    const std::string more =
        few ? fmt::format(" (--processes {} narrows the interval)", kProcesses) : "";
    return fmt::format("uncertain{}, {}", more, of_uncertain());
  }

  Checked unknown(const Row& row) const {
    const std::string& reason = row.cells[run_].reason;
    return {true, fmt::format("{}: {} cannot be judged: {}", limit_.text, row.label,
                              reason.empty() ? "a run has a time of 0" : reason)};
  }

  /// Checks one row by itself.
  Checked alone(const Row& row) const {
    if (!can_be_judged(row)) return unknown(row);
    const double confidence = 1 - kFalseDiscoveryRate;
    Checked out{past(row, confidence), limit_.text + ": " + found(row, confidence)};
    const bool drifts = out.fails && is_drift(row);
    if (!other_machine_ && !drifts && !is_open(row, confidence)) return out;
    out.fails = uncertain_ == Uncertain::kFails;
    out.text += ": " + (other_machine_ ? machines_text()
                        : drifts       ? drift_text(row)
                                       : open_text(row));
    return out;
  }

  /// Checks all groups: one result per failing group, then one for all uncertain groups, or a
  /// single one if all pass.
  std::vector<Checked> groups() const {
    std::vector<const Row*> rows;
    std::vector<double> doubts;
    for (const Row& row : c_.groups)
      if (can_be_judged(row)) {
        rows.push_back(&row);
        doubts.push_back(doubt_of(row));
      }
    if (rows.empty() && !c_.groups.empty()) return {unknown(c_.groups[0])};
    if (other_machine_)
      return {{uncertain_ == Uncertain::kFails, limit_.text + ": " + machines_text()}};
    // Ten of 400 groups whose change equals the bound have a 95 % interval beyond it by chance. One
    // wider confidence for all keeps the share of false alarms among the alarms at the rate.
    const double confidence = stats::common_confidence(doubts, kFalseDiscoveryRate);
    std::vector<Checked> out;
    std::vector<const Row*> open, drifting;
    for (const Row* row : rows) {
      if (past(*row, confidence) && is_drift(*row))
        drifting.push_back(row);
      else if (past(*row, confidence))
        out.push_back({true, limit_.text + ": " + found(*row, confidence)});
      else if (is_open(*row, confidence))
        open.push_back(row);
    }
    const std::string judged = counted(std::ssize(rows), "group");
    if (!drifting.empty())
      out.push_back(several(drifting, judged, confidence, &Column::drift_text));
    if (!open.empty())
      out.push_back(several(open, judged, confidence, &Column::open_text));
    else if (out.empty())
      out.push_back({false, fmt::format("{}: no violation among {} in {}", limit_.text, judged,
                                        c_.runs[run_].label)});
    return out;
  }

 private:
  std::optional<Interval> interval_of(const Row& row, double confidence) const {
    return interval(limit_, *row.cells[run_].change, confidence);
  }

  /// "passes; fails with --fail-on-uncertain"
  std::string_view of_uncertain() const {
    return uncertain_ == Uncertain::kFails ? "fails" : "passes; fails with --fail-on-uncertain";
  }

  std::string machines_text() const {
    return fmt::format("{} and {} were measured on different machines: uncertain, {}",
                       c_.runs[0].label, c_.runs[run_].label, of_uncertain());
  }

  /// True if drift of the machine between the two runs may be the whole difference.
  bool is_drift(const Row& row) const {
    const Cell& cell = row.cells[run_];
    return run_ < c_.drifts.size() && c_.drifts[run_] && cell.ratio &&
           c_.drifts[run_]->covers(*cell.ratio, cell.scatter);
  }

  std::string drift_text(const Row& row) const {
    return fmt::format("drift of the machine may explain up to {:.1f} %, {}",
                       100 * c_.drifts[run_]->share(row.cells[run_].scatter), of_uncertain());
  }

  /// One result for several groups; `why` says of the one that changed most why it is uncertain.
  Checked several(const std::vector<const Row*>& open, const std::string& judged, double confidence,
                  std::string (Column::*why)(const Row&) const) const {
    const auto size = [&](const Row* row) {
      const stats::Change& change = *row->cells[run_].change;
      return limit_.relative ? change.ratio() : change.difference();
    };
    const Row& most = **std::max_element(
        open.begin(), open.end(), [&](const Row* a, const Row* b) { return size(a) < size(b); });
    return {uncertain_ == Uncertain::kFails,
            fmt::format("{}: {} of {}, the largest: {}: {}", limit_.text, open.size(), judged,
                        found(most, confidence), (this->*why)(most))};
  }

  const RunLimit& limit_;
  const Comparison& c_;
  std::size_t run_;
  Uncertain uncertain_;
  bool other_machine_;
};

Result<const Row*> named_row(const RunLimit& limit, const std::vector<Row>& rows,
                             std::string_view kind) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (row.label == limit.name) return &row;
    names.push_back(row.label);
  }
  const std::vector<std::string> near = near_names(limit.name, names);
  return usage_error("RIDGE-CMP-0007", fmt::format("--fail-on '{}': no {} '{}' was timed",
                                                   limit.text, kind, limit.name))
      .hint(near.empty() ? fmt::format("--by {} lists them", kind == "operator" ? "op" : kind)
                         : fmt::format("did you mean '{}'?", near[0]));
}

}  // namespace

Result<RunLimit> parse_run_limit(std::string_view text) {
  RunLimit limit{.text = std::string(text)};
  // The last '>' separates: names of modules may contain one, bounds do not.
  const std::size_t sign = text.rfind('>');
  if (sign == std::string_view::npos)
    return unreadable_run_limit(
        text, "write SUBJECT>BOUND, for example latency>5%, group>10%, latency>3ms");
  TRY(read_subject(text.substr(0, sign), limit));
  TRY(read_bound(text.substr(sign + 1), limit));
  return limit;
}

Result<std::vector<Checked>> check(const RunLimit& limit, const Comparison& c,
                                   Uncertain uncertain) {
  const Row* row = &c.latency;
  if (limit.of == RunLimit::Of::kModule) row = TRY(named_row(limit, c.modules, "module"));
  if (limit.of == RunLimit::Of::kOperator) row = TRY(named_row(limit, c.operators, "operator"));
  std::vector<Checked> out;
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const Column column(limit, c, r, uncertain);
    if (limit.of != RunLimit::Of::kGroup) {
      out.push_back(column.alone(*row));
      continue;
    }
    for (Checked& group : column.groups()) out.push_back(std::move(group));
  }
  return out;
}

}  // namespace ridge::compare
