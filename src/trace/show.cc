// SPDX-License-Identifier: Apache-2.0
#include "trace/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "trace/overlap.h"
#include "trace/queries.h"
#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

using profile::Level;
using profile::Span;

/// Reasons for absent levels, from attribute "absent" of the first run that has it, such as
/// "kernel: not told by the runtime; thread, counter: not asked for".
std::string absence(const View& run) {
  for (const profile::SpanId id : run.runs) {
    if (id == profile::kNoSpan) continue;
    const profile::Timeline& t = run.profile->timeline;
    if (const auto text = t.attribute_of(t.spans()[id], "absent"); !text.empty())
      return std::string(text);
  }
  return "";
}

std::string why_none(std::string_view absent, std::string_view level) {
  while (!absent.empty()) {
    const std::string_view clause = absent.substr(0, absent.find("; "));
    absent.remove_prefix(std::min(clause.size() + 2, absent.size()));
    const std::size_t colon = clause.find(": ");
    if (colon != std::string_view::npos &&
        clause.substr(0, colon).find(level) != std::string_view::npos)
      return std::string(clause.substr(colon + 2));
  }
  return "nothing recorded it";
}

class ShownRows {
 public:
  ShownRows(Table& t, const RunColumns& names, std::size_t run)
      : t_(t), names_(names), run_(run), at_(names.size()) {}

  void add_all(const View& run) {
    levels(run);
    const Correlation& c = run.correlation;
    add("parents", "given by the file", c.given);
    add("parents", "by correlation id", c.by_id);
    add("parents", "by containment", c.by_containment);
    add("parents", "of these ambiguous", c.ambiguous);
    add("parents", "orphaned", c.orphaned);
    add("parents", "roots", c.roots);
    add("parents", "broken", c.broken);
    const ClockFaults faults = clock_faults(run.profile->timeline);
    add("clock", "negative durations", faults.negative);
    add("clock", "overlapping in one lane", faults.overlapping);
    add("clock", "starts before its cause", faults.before_cause);
    add("clock", "out of range", run.out_of_range);
    add("rows", "runs with something inside", run.runs.size());
    add("rows", "layers", run.layers.size());
    add("rows", "kernels", run.kernels.size());
  }

 private:
  void levels(const View& run) {
    const std::string absent = absence(run);
    for (std::size_t level = 0; level < kLevels; ++level) {
      Row& row = add("level", name(static_cast<Level>(level)), run.spans_of[level]);
      if (run.spans_of[level] == 0) {
        row.set(at_ + 5, why_none(absent, name(static_cast<Level>(level))));
        continue;
      }
      std::int64_t first_ns = std::numeric_limits<std::int64_t>::max(), last_ns = -first_ns;
      for (const Span& s : run.profile->timeline.spans()) {
        if (static_cast<std::size_t>(s.level) != level) continue;
        first_ns = std::min(first_ns, s.start_ns);
        last_ns = std::max({last_ns, s.start_ns, s.end_ns});
      }
      row.set(at_ + 3, first_ns).set(at_ + 4, last_ns);
      if (run.made_starts && static_cast<Level>(level) > Level::kModel)
        row.set(at_ + 5, "laid end to end: the runtime tells no starts");
    }
  }

  Row& add(std::string_view of, std::string_view what, std::uint64_t count) {
    Row& row = t_.row();
    names_.set(row, run_);
    return row.set(at_, of).set(at_ + 1, what).set(at_ + 2, static_cast<std::int64_t>(count));
  }

  Table& t_;
  const RunColumns& names_;
  std::size_t run_, at_;
};

}  // namespace

Table show(std::span<const View> runs) {
  Table t{.query = "show", .title = "what a run has", .columns = {}, .rows = {}, .notes = {}};
  const RunColumns names(runs, t);
  t.column("of");
  t.column("what");
  t.column("count");
  t.column("first_ns", "ns");
  t.column("last_ns", "ns");
  t.column("remark");
  for (std::size_t i = 0; i < runs.size(); ++i) ShownRows(t, names, i).add_all(runs[i]);
  return t;
}

Table list_queries() {
  Table t{.query = "list", .title = "queries", .columns = {}, .rows = {}, .notes = {}};
  const auto name = t.column("query"), title = t.column("title"), answers = t.column("answers"),
             needs = t.column("needs");
  for (const Query& q : queries())
    t.row()
        .set(name, q.name)
        .set(title, q.title)
        .set(answers, q.answers)
        .set(needs, text_of(q.needs));
  return t;
}

}  // namespace ridge::trace
