#include "compare/run_limit.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "base/suggest.h"
#include "base/text.h"

namespace ridge::compare {
namespace {

using stats::Change;
using stats::Interval;

Error unreadable(std::string_view text, std::string hint) {
  return usage_error("RIDGE-CMP-0006", fmt::format("'{}' is no limit of a comparison", text))
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
  return unreadable(limit.text, "what can be limited: latency, group, module:PATH, op:TYPE");
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
  return unreadable(limit.text, "the bound is a percentage, or a time in ns, us, ms or s");
}

std::optional<Interval> interval(const RunLimit& limit, const Change& c, double confidence) {
  return limit.relative ? c.ratio_interval(confidence) : c.difference_interval(confidence);
}

/// What the limit allows.
Interval allowed(const RunLimit& limit) {
  constexpr double kAnything = -std::numeric_limits<double>::infinity();
  return {kAnything, limit.relative ? 1 + limit.bound : limit.bound};
}

double doubt(const RunLimit& limit, const Change& c) {
  return stats::doubt([&](double confidence) { return interval(limit, c, confidence); },
                      allowed(limit));
}

/// The whole interval lies past the bound.
bool past(const RunLimit& limit, const Change& c, double confidence) {
  return stats::finding(interval(limit, c, confidence), allowed(limit)) == stats::Finding::kAbove;
}

/// A share needs a baseline that takes time.
bool can_be_judged(const RunLimit& limit, const Cell& cell) {
  return cell.change && (!limit.relative || !std::isnan(cell.change->ratio()));
}

std::string times_text(const Comparison& c, std::size_t column, const Row& row) {
  const Cell& cell = row.cells[column];
  return fmt::format("{} in {} and {} in {}", duration(row.cells[0].time_ns.value_or(0)),
                     c.runs[0].label, duration(cell.time_ns.value_or(0)), c.runs[column].label);
}

std::string found_text(const RunLimit& limit, const Comparison& c, std::size_t column,
                       const Row& row, double confidence) {
  const Change& change = *row.cells[column].change;
  const Interval ci = *interval(limit, change, confidence);
  if (limit.relative)
    return fmt::format("{}: {} takes {}, {:+.1f} % [{:+.1f}, {:+.1f}]", limit.text, row.label,
                       times_text(c, column, row), 100 * (change.ratio() - 1), 100 * (ci.lo - 1),
                       100 * (ci.hi - 1));
  const auto text = [](double ns) { return (ns < 0 ? "-" : "+") + duration(std::abs(ns)); };
  return fmt::format("{}: {} takes {}, {} [{}, {}]", limit.text, row.label,
                     times_text(c, column, row), text(change.difference()), text(ci.lo),
                     text(ci.hi));
}

std::string unknown_text(const RunLimit& limit, const Row& row, const Cell& cell) {
  return fmt::format("{}: {} cannot be judged: {}", limit.text, row.label,
                     cell.reason.empty() ? "a run took no time" : cell.reason);
}

/// One row by itself.
void check_row(const RunLimit& limit, const Comparison& c, const Row& row,
               std::vector<std::string>& out) {
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const Cell& cell = row.cells[r];
    if (!can_be_judged(limit, cell))
      out.push_back(unknown_text(limit, row, cell));
    else if (const double confidence = 1 - kFalseDiscoveryRate;
             past(limit, *cell.change, confidence))
      out.push_back(found_text(limit, c, r, row, confidence));
  }
}

void check_groups(const RunLimit& limit, const Comparison& c, std::vector<std::string>& out) {
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    std::vector<const Row*> rows;
    std::vector<double> doubts;
    for (const Row& row : c.groups) {
      const Cell& cell = row.cells[r];
      if (!can_be_judged(limit, cell)) continue;
      rows.push_back(&row);
      doubts.push_back(doubt(limit, *cell.change));
    }
    if (rows.empty() && !c.groups.empty())
      out.push_back(unknown_text(limit, c.groups[0], c.groups[0].cells[r]));
    const double confidence = stats::common_confidence(doubts, kFalseDiscoveryRate);
    for (const Row* row : rows)
      if (past(limit, *row->cells[r].change, confidence))
        out.push_back(found_text(limit, c, r, *row, confidence));
  }
}

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
  const std::size_t sign = text.rfind('>');
  if (sign == std::string_view::npos)
    return unreadable(text, "write what, >, and a bound: latency>5%, group>10%, latency>3ms");
  TRY(read_subject(text.substr(0, sign), limit));
  TRY(read_bound(text.substr(sign + 1), limit));
  return limit;
}

Result<std::vector<std::string>> violations(const RunLimit& limit, const Comparison& c) {
  std::vector<std::string> out;
  switch (limit.of) {
    case RunLimit::Of::kLatency:
      check_row(limit, c, c.latency, out);
      break;
    case RunLimit::Of::kGroup:
      check_groups(limit, c, out);
      break;
    case RunLimit::Of::kModule:
      check_row(limit, c, *TRY(named_row(limit, c.modules, "module")), out);
      break;
    case RunLimit::Of::kOperator:
      check_row(limit, c, *TRY(named_row(limit, c.operators, "operator")), out);
      break;
  }
  return out;
}

}  // namespace ridge::compare
