// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "compare/cells.h"
#include "compare/group_name.h"
#include "compare/groups.h"
#include "compare/run_labels.h"

namespace ridge::compare {
namespace {

using profile::Profile;

Result<void> check_profiles(const std::vector<Run>& runs) {
  if (runs.size() < 2)
    return usage_error("RIDGE-CMP-0002",
                       runs.empty()
                           ? "no run to compare"
                           : fmt::format("'{}' is a single run, and a comparison requires two",
                                         runs[0].label))
        .hint("give a second run, or a model with --runtimes ort,openvino");
  for (const Run& run : runs)
    if (run.profile.layers.empty())
      return input_error("RIDGE-CMP-0003", fmt::format("run '{}' has no layers", run.label))
          .hint("it was recorded without layer times; profile it again");
  return {};
}

class Builder {
 public:
  Builder(Comparison& out, const CompareOptions& options)
      : out_(out), options_(options), found_(common_groups(out.runs, out.join)) {}

  void run() {
    out_.untimed = found_.untimed;
    out_.folded = found_.folded;
    for (const Group& group : found_.groups) {
      out_.groups.push_back(named_row(group));
      out_.groups.back().cells = cells(group.layers, group.present);
    }
    judge(out_.groups, options_.threshold);
    out_.modules = rollup(&Builder::modules_around);
    out_.operators = rollup(&Builder::operator_of);
    out_.inserted = lone_row("inserted by the runtime", found_.inserted);
    out_.unattributed = lone_row("not attributed to nodes", found_.unattributed);
    add_latency();
    add_drift();
    add_totals();
  }

 private:
  using Keys = std::vector<std::string>;

  const profile::Node& node(std::uint32_t common) const {
    const NodeJoin::Place place = out_.join.nodes[common];
    return out_.runs[place.run].profile.nodes[place.node];
  }

  Row named_row(const Group& group) const {
    std::vector<const profile::Node*> nodes;
    for (const std::uint32_t n : group.nodes) nodes.push_back(&node(n));
    Row row{.nodes = group.nodes};
    row.module = common_module(nodes);
    row.op = group_operator(nodes);
    row.label = group_label(nodes);
    return row;
  }

  std::vector<Cell> cells(const std::vector<LayerList>& layers,
                          const std::vector<bool>& present) const {
    std::vector<std::optional<Times>> times;
    for (std::size_t r = 0; r < out_.runs.size(); ++r)
      times.push_back(present[r] ? std::optional(times_of(out_.runs[r].profile, layers[r]))
                                 : std::nullopt);
    return cells_of(out_.runs, times, options_);
  }

  /// Row that is judged alone, not as part of a table.
  Row lone_row(std::string label, const std::vector<LayerList>& layers) const {
    std::vector<Row> row(1);
    row[0].label = std::move(label);
    row[0].cells = cells(layers, std::vector<bool>(out_.runs.size(), true));
    judge(row, options_.threshold);
    return std::move(row[0]);
  }

  Keys modules_around(const Row& group) const {
    Keys out;
    for (std::size_t end = 0; end < group.module.size();) {
      end = std::min(group.module.find('/', end + 1), group.module.size());
      out.push_back(group.module.substr(0, end));
    }
    return out;
  }

  Keys operator_of(const Row& group) const { return {group.op}; }

  /// Sums groups into one row per key; a group may have several keys.
  std::vector<Row> rollup(Keys (Builder::*keys_of)(const Row&) const) const {
    struct Sum {
      std::vector<LayerList> layers;
      std::vector<bool> present;
      std::vector<std::uint32_t> nodes;
    };
    std::map<std::string, Sum> sums;
    for (std::size_t g = 0; g < found_.groups.size(); ++g)
      for (const std::string& key : (this->*keys_of)(out_.groups[g])) {
        Sum& sum = sums[key];
        sum.layers.resize(out_.runs.size());
        sum.present.resize(out_.runs.size());
        const Group& group = found_.groups[g];
        sum.nodes.insert(sum.nodes.end(), group.nodes.begin(), group.nodes.end());
        for (std::size_t r = 0; r < out_.runs.size(); ++r) {
          sum.layers[r].insert(sum.layers[r].end(), group.layers[r].begin(), group.layers[r].end());
          sum.present[r] = sum.present[r] || group.present[r];
        }
      }
    std::vector<Row> rows;
    for (auto& [key, sum] : sums) {
      rows.push_back({.label = key, .nodes = std::move(sum.nodes)});
      rows.back().cells = cells(sum.layers, sum.present);
    }
    judge(rows, options_.threshold);
    return rows;
  }

  void add_latency() {
    std::vector<std::optional<Times>> times;
    for (const Run& run : out_.runs) times.emplace_back(latency_of(run.profile));
    std::vector<Row> row(1);
    row[0].label = "latency";
    row[0].cells = cells_of(out_.runs, times, options_);
    judge(row, options_.threshold);
    out_.latency = std::move(row[0]);
  }

  /// Withdraws each verdict that drift of the machine alone may explain.
  void add_drift() {
    out_.drifts.resize(out_.runs.size());
    if (out_.interleaved) return;
    for (std::size_t r = 1; r < out_.runs.size(); ++r) {
      out_.drifts[r] = drift_between(out_.runs[0].profile, out_.runs[r].profile);
      if (!out_.drifts[r]) continue;
      for (std::vector<Row>* rows : {&out_.groups, &out_.modules, &out_.operators})
        for (Row& row : *rows) withdraw(row.cells[r], *out_.drifts[r]);
      for (Row* row : {&out_.latency, &out_.inserted, &out_.unattributed})
        withdraw(row->cells[r], *out_.drifts[r]);
    }
  }

  static void withdraw(Cell& cell, const Drift& drift) {
    const bool shown = cell.verdict == Verdict::kFaster || cell.verdict == Verdict::kSlower;
    if (shown && cell.ratio && drift.covers(*cell.ratio, cell.scatter))
      cell.verdict = Verdict::kDrift;
  }

  std::optional<Parts> parts_of(std::size_t run) const {
    const std::optional<double> latency = out_.latency.cells[run].time_ns;
    if (!latency) return std::nullopt;
    Parts p{.latency_ns = *latency, .groups_ns = out_.groups_ns[run]};
    p.inserted_ns = *out_.inserted.cells[run].time_ns;
    p.unattributed_ns = *out_.unattributed.cells[run].time_ns;
    p.outside_ns = out_.runs[run].profile.profiling.outside_layers_ns;
    p.unexplained_ns =
        p.latency_ns - p.groups_ns - p.inserted_ns - p.unattributed_ns - p.outside_ns;
    return p;
  }

  void add_totals() {
    const std::size_t columns = out_.runs.size();
    out_.groups_ns.assign(columns, 0);
    out_.tallies.resize(columns);
    std::vector<double> others(columns, 0);
    bool any_other = false;
    for (const Row& row : out_.groups) {
      // The best of all runs takes each shared group from the run that is fastest there. Groups
      // that a run lacks (it fused them otherwise) can only be taken together, from one run.
      // Example: a group takes 3 and 5, the others sum to 4 and 2: the best is 3 + 2 = 5.
      const bool shared = is_shared(row);
      any_other = any_other || !shared;
      std::optional<double> best;
      for (std::size_t r = 0; r < columns; ++r) {
        const Cell& cell = row.cells[r];
        if (!cell.time_ns) continue;
        out_.groups_ns[r] += *cell.time_ns;
        if (shared) best = std::min(best.value_or(*cell.time_ns), *cell.time_ns);
        if (!shared) others[r] += *cell.time_ns;
        if (r > 0) count(cell, out_.tallies[r]);
      }
      out_.best_ns += best.value_or(0);
    }
    if (any_other) {
      const auto least = std::ranges::min_element(others);
      out_.best_others = static_cast<std::size_t>(least - others.begin());
      out_.best_ns += *least;
    }
    for (std::size_t r = 0; r < columns; ++r) out_.parts.push_back(parts_of(r));
    for (std::size_t r = 0; r < columns; ++r) add_difference(r);
  }

  static void count(const Cell& cell, Tally& tally) {
    if (cell.verdict == Verdict::kNotShown) ++tally.not_shown;
    if (cell.verdict == Verdict::kDrift) ++tally.drift;
    if (cell.verdict == Verdict::kNotJudged) ++tally.not_judged;
    const bool shown = cell.verdict == Verdict::kFaster || cell.verdict == Verdict::kSlower;
    if (!shown) return;
    Tally::Side& side = cell.verdict == Verdict::kFaster ? tally.faster : tally.slower;
    ++side.groups;
    side.ns += std::abs(cell.difference_ns.value_or(0));
  }

  void add_difference(std::size_t run) {
    std::optional<Parts>& difference = out_.differences.emplace_back();
    std::optional<double>& explained = out_.explained.emplace_back();
    const std::optional<Parts>&a = out_.parts[0], &b = out_.parts[run];
    if (run == 0 || !a || !b) return;
    difference = Parts{b->latency_ns - a->latency_ns,   b->groups_ns - a->groups_ns,
                       b->inserted_ns - a->inserted_ns, b->unattributed_ns - a->unattributed_ns,
                       b->outside_ns - a->outside_ns,   b->unexplained_ns - a->unexplained_ns};
    // The share that layers explain is a quotient by the difference of the latencies. Where that
    // may be 0, the quotient is noise, so there is none.
    const std::optional<stats::Interval>& ci = out_.latency.cells[run].ratio_interval;
    if (ci && !ci->contains(1) && difference->latency_ns != 0)
      explained = (difference->groups_ns + difference->inserted_ns) / difference->latency_ns;
  }

  Comparison& out_;
  const CompareOptions& options_;
  Groups found_;
};

std::string ranges_text(const std::vector<Drift::Kernel>& kernels,
                        profile::ReferenceRange Drift::Kernel::*of) {
  std::vector<std::string> out;
  for (const Drift::Kernel& kernel : kernels) out.push_back(text_of(kernel.*of));
  return fmt::format("{}", fmt::join(out, ", "));
}

/// How to measure two runs so that drift meets both alike.
std::string in_turns_text(const Run& first, const Run& second) {
  const profile::Subject &a = first.profile.subject, &b = second.profile.subject;
  if (a.graph_hash != b.graph_hash && a.runtime == b.runtime && a.threads == b.threads)
    return "ridge compare FIRST.onnx SECOND.onnx measures both models in turns";
  if (a.graph_hash == b.graph_hash && a.runtime != b.runtime)
    return "ridge compare MODEL --runtimes ort,openvino measures both in turns";
  if (a.graph_hash == b.graph_hash && a.threads && b.threads && a.threads != b.threads)
    return fmt::format("ridge compare MODEL --threads {},{} measures both in turns", *a.threads,
                       *b.threads);
  return "measure them again in the order first, second, first: the two first ones show how much "
         "of "
         "it is drift";
}

/// Adds a note on each latency difference that drift of the machine alone may explain.
void note_drift(Comparison& c) {
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const Cell& latency = c.latency.cells[r];
    if (latency.verdict != Verdict::kDrift) continue;
    c.notes.push_back(fmt::format(
        "the latencies of {} and {} differ by {:.1f} %, which may be drift of the machine: as far "
        "as these latencies follow reference kernels, which do the same work every time ({} with "
        "{}; {} with {}), it explains up to {:.1f} %; {}",
        c.runs[0].label, c.runs[r].label, 100 * (std::max(*latency.ratio, 1 / *latency.ratio) - 1),
        ranges_text(c.drifts[r]->kernels, &Drift::Kernel::first), c.runs[0].label,
        ranges_text(c.drifts[r]->kernels, &Drift::Kernel::second), c.runs[r].label,
        100 * c.drifts[r]->share(latency.scatter), in_turns_text(c.runs[0], c.runs[r])));
  }
}

/// Adds a note on each run of another machine than the baseline's.
void note_machines(Comparison& c) {
  const Profile& first = c.runs[0].profile;
  for (std::size_t r = 1; r < c.runs.size(); ++r)
    if (const Profile& run = c.runs[r].profile; on_different_machines(first, run))
      c.notes.push_back(fmt::format(
          "{} and {} were measured on different machines ({}; {}): differences are those of the "
          "machines, too",
          c.runs[0].label, c.runs[r].label, facts_of(first).machine, facts_of(run).machine));
}

/// Adds notes on layer times that are as reported, since verdicts depend on that.
void add_kinds_of_times(Comparison& c) {
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const LayerTimes times = layer_times_of(c.runs[0], c.runs[r]);
    const std::string &first = c.runs[0].label, &second = c.runs[r].label;
    if (times == LayerTimes::kBothReported)
      c.notes.push_back(fmt::format(
          "layer times of {} and {} are as reported, with the cost of each profiler in them: where "
          "these costs differ, verdicts on layers have it in them too",
          first, second));
    else if (times != LayerTimes::kAlike)
      c.notes.push_back(fmt::format(
          "layer times of {} are as reported, with the profiler's cost in them, and those of {} "
          "corrected: layers are not judged, latencies are",
          times == LayerTimes::kFirstReported ? first : second,
          times == LayerTimes::kFirstReported ? second : first));
  }
}

void add_notes(Comparison& c) {
  const Profile& first = c.runs[0].profile;
  for (std::size_t r = 1; r < c.runs.size(); ++r) {
    const Run& run = c.runs[r];
    const JoinRate& rate = c.join.rates[r];
    if (rate.by != JoinedBy::kIndex)
      c.notes.push_back(fmt::format(
          "{} is another model than {}: {} of its {} joined by {}", run.label, c.runs[0].label,
          rate.matched, counted(static_cast<std::int64_t>(rate.nodes), "node"), name(rate.by)));
    else if (run.profile.subject.graph_hash != first.subject.graph_hash)
      c.notes.push_back(
          fmt::format("{} has the node names of {}, but its graph differs in attributes, types or "
                      "edges; nodes were joined by index",
                      run.label, c.runs[0].label));
  }
  for (const Run& run : c.runs)
    for (const std::string& note : run.profile.notes) c.notes.push_back(run.label + ": " + note);
}

}  // namespace

bool is_shared(const Row& group) {
  return std::ranges::all_of(group.cells,
                             [](const Cell& cell) { return cell.time_ns.has_value(); });
}

Result<Comparison> compare_runs(std::vector<Run> runs, const CompareOptions& options) {
  TRY(check_profiles(runs));
  Comparison out;
  out.join = TRY(join_nodes(runs));
  out.runs = std::move(runs);
  out.threshold = options.threshold;
  out.interleaved = options.measuring == Measuring::kInterleaved;
  Builder(out, options).run();
  note_drift(out);
  note_machines(out);
  add_kinds_of_times(out);
  add_notes(out);
  return out;
}

}  // namespace ridge::compare
