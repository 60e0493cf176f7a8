// SPDX-License-Identifier: Apache-2.0
#include "import/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include "attribution/neutral.h"
#include "attribution/original.h"
#include "base/number.h"
#include "base/numeral.h"
#include "base/text.h"
#include "base/version.h"
#include "import/constant_nodes.h"
#include "import/crossing.h"
#include "import/members.h"
#include "import/torch_operators.h"
#include "profile/rows.h"
#include "stats/block_median.h"
#include "stats/samples.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::NodeId;
using profile::Layer;
using profile::Profile;
using profile::Role;
using stats::Estimate;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kNoEstimate{kUnknown};

/// Median, with a confidence interval if there are enough runs for one. The interval is by blocks:
/// all runs are from one process, in which neighboring runs are correlated.
Estimate estimate(const std::vector<std::int64_t>& runs) {
  if (runs.empty()) return kNoEstimate;
  const std::vector<double> values = stats::as_doubles(runs);
  const stats::BlockMedian median(std::span(&values, 1));
  return {median.value(), median.interval(0.95)};
}

class Joiner {
 public:
  Joiner(Recorded recorded, const Resolved* resolved, const NameIndex* names,
         std::optional<ExactMembers> exact)
      : recorded_(std::move(recorded)),
        resolved_(resolved),
        names_(names),
        exact_(std::move(exact)) {}

  Profile run() {
    describe();
    p_.layers.reserve(recorded_.layers.size());
    for (RecordedLayer& layer : recorded_.layers) add_layer(layer);
    Members members;
    if (resolved_ != nullptr) members = exact_ ? std::move(exact_->members) : place();
    work_unknown_ = !recorded_.work_unknown.empty();
    if (work_unknown_)
      recorded_.notes.push_back(recorded_.work_unknown +
                                ": work, which is of one run, is left out");
    if (recorded_.runs_unknown) tell_runs(members);
    sum_up();
    note_sum();
    if (resolved_ != nullptr) attribute(std::move(members));
    p_.notes.insert(p_.notes.end(), recorded_.notes.begin(), recorded_.notes.end());
    p_.timeline = std::move(recorded_.timeline);
    return std::move(p_);
  }

 private:
  void describe() {
    if (resolved_ != nullptr) {
      p_.subject = profile::subject_of(*resolved_);
      p_.batch = profile::batch_of(*resolved_);
    }
    p_.subject.kind = "imported";
    p_.subject.runtime = recorded_.tool;
    p_.subject.runtime_version = recorded_.version;
    p_.subject.options = recorded_.options;
    p_.subject.ridge_version = version();
    p_.load_ns = recorded_.load_ns.value_or(0);
    p_.latency.ns = kNoEstimate;
    p_.items_per_s = kUnknown;
    p_.profiling.profiled_latency_ns = estimate(recorded_.runs_ns);
  }

  /// Does not move name and type from the row: find_members needs them.
  void add_layer(RecordedLayer& from) {
    Layer layer{.index = static_cast<std::uint32_t>(p_.layers.size()),
                .name = from.name,
                .type = from.type,
                .implementation = std::move(from.implementation),
                .precision = std::move(from.precision)};
    layer.order = layer.index;
    layer.inserted = from.inserted;
    layer.executions = from.executions;
    layer.time_ns = from.runs_ns.empty() ? Estimate{from.time_ns} : estimate(from.runs_ns);
    layer.corrected_ns = layer.time_ns.value;
    layer.runs_ns = std::move(from.runs_ns);
    for (RecordedKernel& kernel : from.kernels)
      layer.kernels.push_back({std::move(kernel.name), std::move(kernel.type), {kernel.time_ns}});
    p_.layers.push_back(std::move(layer));
  }

  Members place() const {
    std::vector<double> time_ns;
    for (const Layer& layer : p_.layers) time_ns.push_back(layer.corrected_ns);
    return find_members(recorded_, time_ns, *resolved_, *names_);
  }

  /// Number of runs of the model according to one layer: its executions divided by how often one
  /// run executes its nodes. nullopt if it has no nodes, or the counts do not fit.
  std::optional<double> runs_by(const Layer& layer, const std::vector<profile::Member>& nodes) {
    profile::Count once;
    for (const profile::Member& m : nodes) {
      const profile::Count repeat = profile::count_of(resolved_->repeat(m.node));
      if (!repeat || *repeat <= 0 || (once && *once != *repeat)) return std::nullopt;
      once = repeat;
    }
    if (!once || layer.executions < *once) return std::nullopt;
    return static_cast<double>(layer.executions) / static_cast<double>(*once);
  }

  /// Converts times summed over many runs to times per run, as work is counted. Each layer is
  /// divided by its own number of runs, since a recording may miss one execution at either end;
  /// layers without one by the median of the others.
  void tell_runs(const Members& members) {
    std::vector<std::optional<double>> runs(p_.layers.size());
    std::vector<double> known;
    for (std::size_t l = 0; l < members.of_layer.size(); ++l) {
      runs[l] = runs_by(p_.layers[l], members.of_layer[l]);
      if (runs[l]) known.push_back(*runs[l]);
    }
    const bool several = std::ranges::any_of(
        recorded_.layers, [](const RecordedLayer& layer) { return layer.recordings > 1; });
    if (known.empty()) {
      if (several) tell_queries(runs, 1);
      work_unknown_ = true;
      if (std::ranges::any_of(members.of_layer, [](const auto& nodes) { return !nodes.empty(); }))
        recorded_.notes.push_back(
            "neither where a run begins nor how often it executes a layer is known: work, which is "
            "of one run, is left out");
      return;
    }
    const double all = stats::median(known);
    bool divided = false;
    for (std::size_t l = 0; l < p_.layers.size(); ++l)
      divided |= divide(p_.layers[l], runs[l].value_or(all));
    if (divided || several) tell_queries(runs, all);
    if (divided)
      recorded_.notes.push_back(fmt::format(
          "the recording does not say where a run begins: by its layers of nodes it has {}, "
          "and times are divided by how often each layer was executed",
          significant(all, 6)));
  }

  /// Records in the first span of each layer how many runs its spans cover, in all processes, so
  /// that queries divide by the same number.
  void tell_queries(const std::vector<std::optional<double>>& runs, double all) {
    profile::Timeline& t = recorded_.timeline;
    const profile::TextId key = t.intern("recorded_runs");
    std::vector<bool> told(p_.layers.size());
    for (profile::SpanId i = 0; i < t.spans().size(); ++i) {
      const auto row = whole_number<std::size_t>(t.attribute_of(t.spans()[i], "layer"));
      if (!row || *row >= told.size() || told[*row]) continue;
      told[*row] = true;
      const auto recordings = static_cast<double>(recorded_.layers[*row].recordings);
      t.attribute(i, key, t.intern(fmt::format("{}", recordings * runs[*row].value_or(all))));
    }
  }

  static bool divide(Layer& layer, double runs) {
    if (runs == 1) return false;
    layer.time_ns = {layer.time_ns.value / runs};
    layer.corrected_ns = layer.time_ns.value;
    layer.runs_ns.clear();  // a mean is not a run
    layer.executions =
        std::max<std::int64_t>(1, std::llround(static_cast<double>(layer.executions) / runs));
    for (profile::Kernel& kernel : layer.kernels) kernel.time_ns.value /= runs;
    return true;
  }

  /// Fields that the recording cannot determine become NaN or unknown, not 0.
  void sum_up() {
    profile::Profiling& f = p_.profiling;
    f.excess_ns = kNoEstimate;
    f.event_cost_ns = f.event_share_ns = f.disturbance_ns = f.residual_share = kUnknown;
    f.resolution_ns = f.cheapest_kernel_ns = f.gaps_ns = f.outside_layers_ns = kUnknown;
    for (const Layer& layer : p_.layers) f.raw_sum_ns += layer.time_ns.value;
    f.corrected_sum_ns = f.raw_sum_ns;
    for (Layer& layer : p_.layers) {
      layer.share = f.raw_sum_ns > 0 ? layer.corrected_ns / f.raw_sum_ns : 0;
      layer.work = {std::nullopt, std::nullopt, std::nullopt, std::nullopt};
    }
    std::vector<double> gaps = stats::as_doubles(recorded_.runs_ns);
    for (const Layer& layer : p_.layers) {
      if (layer.runs_ns.size() != gaps.size()) return;
      for (std::size_t i = 0; i < gaps.size(); ++i)
        gaps[i] -= static_cast<double>(layer.runs_ns[i]);
    }
    if (!gaps.empty()) f.gaps_ns = f.outside_layers_ns = stats::median(gaps);
  }

  /// Adds a note that compares the sum of the layers' medians with the median run.
  void note_sum() {
    const double run = p_.profiling.profiled_latency_ns.value, sum = p_.profiling.raw_sum_ns;
    std::string text = "no whole run is recorded that the sum of the layers could be held against";
    if (const double rest = run - sum; run > 0)
      text = fmt::format("the layers' times add up to {}, {:.1f} % of the median run of {}: {}",
                         duration(sum), 100 * sum / run, duration(run),
                         rest >= 0 ? duration(rest) + " of it are in no layer"
                                   : duration(-rest) + " more: " + past_the_run());
    recorded_.notes.insert(recorded_.notes.begin(), std::move(text));
  }

  std::string past_the_run() const {
    return recorded_.concurrent.empty() ? "medians of layers are of different runs"
                                        : recorded_.concurrent;
  }

  void attribute(Members members) {
    for (NodeId id = 0; id < resolved_->model().nodes().size(); ++id)
      p_.nodes.push_back(profile::node_row(*resolved_, id));
    for (std::size_t l = 0; l < p_.layers.size(); ++l)
      give_work(p_.layers[l], std::move(members.of_layer[l]), members.partly[l]);
    if (exact_)
      p_.without_layer = std::move(exact_->without_layer);
    else
      explain_rest(members);
    note_match(members);
  }

  void give_work(Layer& layer, std::vector<profile::Member> members, bool partly) {
    layer.members = std::move(members);
    layer.module = profile::module_of(*resolved_, layer.members);
    const bool launch_only = recorded_.layers[layer.index].launch_only;
    if (layer.inserted && !layer.members.empty()) {  // a copy that a node consists of
      layer.inserted = false;
      layer.type.clear();
    }
    if (layer.members.empty()) {
      if (layer.inserted && !launch_only) layer.work = {};
      if (layer.inserted) return;
      ++p_.unattributed_layers;
      p_.unattributed_share += layer.share;
      return;
    }
    if (layer.type.empty()) layer.type = type_of(layer.members);
    if (work_unknown_ || launch_only) return;
    layer.work = {};
    for (const profile::Member& m : layer.members)
      if (m.role == Role::kExecutes)
        profile::add(layer.work, profile::work_of(resolved_->counts(m.node)));
    if (partly) return;  // work of the known nodes, a lower bound; bytes are unknown
    const Crossed traffic = exact_
                                ? Crossed{exact_->read[layer.index], exact_->written[layer.index]}
                                : crossed(*resolved_, layer.members, widths_of(layer));
    layer.bytes = traffic.read;
    profile::add(layer.bytes, traffic.written);
    layer.output_bytes = traffic.written;
    layer.least = exact_ ? exact_->least[layer.index]
                         : min_of(*resolved_, layer.members, widths_of(layer), streamed_);
  }

  Widths widths_of(const Layer& layer) const {
    const RecordedLayer& recorded = recorded_.layers[layer.index];
    const auto or_own = [&](const std::string& precision) {
      return precision.empty() ? layer.precision : precision;
    };
    return {or_own(recorded.input_precision), or_own(recorded.output_precision)};
  }

  /// Operator of the first product among the members, else of the first member.
  std::string type_of(const std::vector<profile::Member>& members) const {
    const graph::Model& model = resolved_->model();
    for (const profile::Member& m : members)
      if (attribution::is_product(model.node(m.node).op_type))
        return std::string(model.node(m.node).op_type);
    return std::string(model.node(members.front().node).op_type);
  }

  /// Records why a node has no layer, where that is certain.
  void explain_rest(const Members& members) {
    std::int64_t open = 0;
    for (NodeId n = 0; n < members.placed.size(); ++n) {
      if (members.placed[n]) continue;
      if (makes_constants(*resolved_, n))
        p_.without_layer.push_back({n, profile::Why::kFolded, {}});
      else if (attribution::neutral_input(*resolved_, n))
        p_.without_layer.push_back({n, profile::Why::kEliminated, {}});
      else if (in_branch_not_taken(n, members))
        p_.without_layer.push_back({n, profile::Why::kNotExecuted, {}});
      else
        ++open;
    }
    if (open > 0)
      p_.notes.push_back(
          fmt::format("{} of the model {} in no layer, and the recording does not say why",
                      counted(open, "node"), open == 1 ? "is" : "are"));
  }

  /// True in a body of an If of which the recording has kernels of another body alone.
  bool in_branch_not_taken(NodeId n, const Members& members) const {
    if (recorded_.naming != Naming::kOnnxRuntime) return false;
    const graph::Model& model = resolved_->model();
    const auto ran = [&](graph::GraphId body) {
      return std::ranges::any_of(model.graphs()[body].order,
                                 [&](NodeId inside) { return members.placed[inside]; });
    };
    for (NodeId at = n; model.node(at).parent != graph::kNone; at = model.node(at).parent) {
      const graph::Node owner = model.node(model.node(at).parent);
      if (owner.op_type != "If" || ran(model.node(at).graph)) continue;
      if (std::ranges::any_of(owner.bodies, ran)) return true;
    }
    return false;
  }

  void note_match(const Members& members) {
    std::int64_t layers = 0, matched = 0, partly = 0;
    double time = 0, matched_time = 0;
    for (std::size_t l = 0; l < p_.layers.size(); ++l) {
      const Layer& layer = p_.layers[l];
      if (layer.inserted) continue;
      ++layers;
      time += layer.corrected_ns;
      if (layer.members.empty()) continue;
      ++matched;
      matched_time += layer.corrected_ns;
      if (members.partly[l]) ++partly;
    }
    const double share = time > 0 ? 100 * matched_time / time : 0;
    constexpr double kHalf = 50;
    if (share < kHalf) note_copies();
    std::string text =
        fmt::format("{} of {} by {} to nodes of the model, {:.1f} % of their time", matched,
                    counted(layers, "layer"), exact_ ? "the optimised model" : "name", share);
    if (partly > 0)
      text += fmt::format("; {} of these {} names that it does not have", partly,
                          partly == 1 ? "lists" : "list");
    if (!members.notes.empty()) text.replace(text.find(" by name"), 8, " by name or order");
    p_.notes.insert(p_.notes.begin(), "matched " + text);
    p_.notes.insert(p_.notes.end(), members.notes.begin(), members.notes.end());
    if (members.fused > 0)
      p_.notes.push_back(fmt::format(
          "{} that no layer is named after {} in the layer that ONNX Runtime's rules fuse {} into; "
          "--optimized-model would say it",
          counted(static_cast<std::int64_t>(members.fused), "node"),
          members.fused == 1 ? "stands" : "stand", members.fused == 1 ? "it" : "them"));
    p_.notes.insert(p_.notes.end(), members.region_notes.begin(), members.region_notes.end());
    if (members.guessed > 0)
      p_.notes.push_back(fmt::format(
          "{} that no layer is named after {} beside the layer that makes what it reads (a guess)",
          counted(static_cast<std::int64_t>(members.guessed), "node"),
          members.guessed == 1 ? "stands" : "stand"));
  }

  /// Copies are in no node, and do not count where a recording is judged to be of another model.
  /// Called where that may decide.
  void note_copies() {
    std::int64_t layers = 0;
    double share = 0;
    for (const Layer& layer : p_.layers) {
      if (layer.inserted || !layer.members.empty() || !copies_data(layer.name)) continue;
      ++layers;
      share += layer.share;
    }
    if (layers > 0)
      p_.notes.push_back(fmt::format(
          "{} with {:.1f} % of the time copy, convert or make tensors around the model "
          "(aten::to, Memcpy): they are no node of it, and do not count where a match is judged",
          counted(layers, "layer"), 100 * share));
  }

  Recorded recorded_;
  const Resolved* resolved_;
  const NameIndex* names_;
  std::optional<ExactMembers> exact_;
  std::set<graph::ValueId> streamed_;  // weights that a layer was charged with
  bool work_unknown_ = false;          // the number of runs that the times cover is unknown
  Profile p_;
};

}  // namespace

Profile join(Recorded recorded, const Resolved* resolved, const NameIndex* names,
             std::optional<ExactMembers> exact) {
  return Joiner(std::move(recorded), resolved, names, std::move(exact)).run();
}

double matched_share(const Profile& profile) {
  double all = 0, matched = 0, layers = 0, matched_layers = 0;
  for (const Layer& layer : profile.layers) {
    if (layer.inserted || (layer.members.empty() && copies_data(layer.name))) continue;
    const double is_matched = layer.members.empty() ? 0 : 1;
    ++layers;
    matched_layers += is_matched;
    all += layer.corrected_ns;
    matched += is_matched * layer.corrected_ns;
  }
  if (!(all > 0)) return layers > 0 ? matched_layers / layers : 0;
  return matched / all;
}

}  // namespace ridge::imports
