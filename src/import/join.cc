#include "import/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "analysis/node_bytes.h"
#include "attribution/neutral.h"
#include "attribution/original.h"
#include "base/text.h"
#include "base/version.h"
#include "import/members.h"
#include "profile/rows.h"
#include "stats/samples.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using profile::Estimate;
using profile::Layer;
using profile::Profile;
using profile::Role;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kNoEstimate{kUnknown, kUnknown, kUnknown};

/// The median, with an interval where there are runs enough for one.
Estimate estimate(const std::vector<std::int64_t>& runs) {
  if (runs.empty()) return kNoEstimate;
  const std::vector<double> values = stats::as_doubles(runs);
  const auto interval = stats::median_interval(values);
  return {stats::median(values), interval ? interval->lo : kUnknown,
          interval ? interval->hi : kUnknown};
}

/// The tensors that cross the boundary of some nodes.
struct Traffic {
  profile::Count read = 0, written = 0;
};

class Crossing {
 public:
  Crossing(const Resolved& resolved, const std::vector<profile::Member>& members)
      : resolved_(resolved), members_(members) {}

  Traffic traffic() const {
    if (members_.size() == 1) {
      const analysis::NodeCounts& c = resolved_.counts(members_[0].node);
      return {profile::count_of(c.bytes_read), profile::count_of(c.bytes_written)};
    }
    Traffic out;
    std::set<ValueId> seen;
    for (const profile::Member& m : members_) {
      const NodeId n = m.node;
      for (const ValueId v : resolved_.model().inputs(n))
        if (m.role != Role::kAbsorbed && v != kNone && !made_inside(v) && seen.insert(v).second)
          profile::add(out.read, bytes(v, n));
      for (const ValueId v : resolved_.model().outputs(n))
        if (v != kNone && leaves(v)) profile::add(out.written, bytes(v, n));
    }
    return out;
  }

 private:
  bool member(NodeId n) const {
    return std::ranges::binary_search(members_, n, {}, &profile::Member::node);
  }
  bool made_inside(ValueId v) const {
    const graph::Value& value = resolved_.model().value(v);
    return value.producer != kNone && member(value.producer);
  }
  bool leaves(ValueId v) const {
    if (resolved_.model().value(v).graph_output) return true;
    const auto readers = resolved_.model().consumers(v);
    return std::any_of(readers.begin(), readers.end(), [&](NodeId n) { return !member(n); });
  }
  /// Over all executions of the node that moves it.
  profile::Count bytes(ValueId v, NodeId by) const {
    const auto once = analysis::value_bytes(resolved_, v);
    const auto repeat = profile::count_of(resolved_.repeat(by));
    std::int64_t all = 0;
    if (!once || !repeat || __builtin_mul_overflow(*once, *repeat, &all)) return std::nullopt;
    return all;
  }

  const Resolved& resolved_;
  const std::vector<profile::Member>& members_;
};

class Joiner {
 public:
  Joiner(Recorded recorded, const Resolved* resolved, const NameIndex* names)
      : recorded_(std::move(recorded)), resolved_(resolved), names_(names) {}

  Profile run() {
    describe();
    p_.layers.reserve(recorded_.layers.size());
    for (RecordedLayer& layer : recorded_.layers) add_layer(layer);
    Members members;
    if (resolved_ != nullptr) members = place();
    if (recorded_.runs_unknown) tell_runs(members);
    sum_up();
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

  /// Name and type stay: members are found by them.
  void add_layer(RecordedLayer& from) {
    Layer layer{.index = static_cast<std::uint32_t>(p_.layers.size()),
                .name = from.name,
                .type = from.type,
                .implementation = std::move(from.implementation),
                .precision = std::move(from.precision)};
    layer.order = layer.index;
    layer.inserted = from.inserted;
    layer.executions = from.executions;
    layer.time_ns =
        from.runs_ns.empty() ? Estimate{from.time_ns, kUnknown, kUnknown} : estimate(from.runs_ns);
    layer.corrected_ns = layer.time_ns.median;
    layer.runs_ns = std::move(from.runs_ns);
    for (RecordedKernel& kernel : from.kernels)
      layer.kernels.push_back(
          {std::move(kernel.name), std::move(kernel.type), {kernel.time_ns, kUnknown, kUnknown}});
    p_.layers.push_back(std::move(layer));
  }

  Members place() const {
    std::vector<double> time_ns;
    for (const Layer& layer : p_.layers) time_ns.push_back(layer.corrected_ns);
    return find_members(recorded_, time_ns, *resolved_, *names_);
  }

  /// How often the model ran, by a layer of its nodes: each run executes these as often as the
  /// model says. nullopt: it has none, or that does not fit.
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

  /// Times of many runs become those of one, which work is of: each layer's by its own executions,
  /// of which the ends of a recording may lack one, the others' by the median of these.
  void tell_runs(const Members& members) {
    std::vector<std::optional<double>> runs(p_.layers.size());
    std::vector<double> known;
    for (std::size_t l = 0; l < members.of_layer.size(); ++l)
      if ((runs[l] = runs_by(p_.layers[l], members.of_layer[l]))) known.push_back(*runs[l]);
    if (known.empty()) {
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
    if (divided)
      recorded_.notes.push_back(fmt::format(
          "the recording does not say where a run begins: by its layers of nodes it has {:.6g}, "
          "and times are divided by how often each layer was executed",
          all));
  }

  static bool divide(Layer& layer, double runs) {
    if (runs == 1) return false;
    layer.time_ns = {layer.time_ns.median / runs, kUnknown, kUnknown};
    layer.corrected_ns = layer.time_ns.median;
    layer.runs_ns.clear();  // a mean is no run
    layer.executions =
        std::max<std::int64_t>(1, std::llround(static_cast<double>(layer.executions) / runs));
    for (profile::Kernel& kernel : layer.kernels) kernel.time_ns.median /= runs;
    return true;
  }

  /// What the recording cannot tell is unknown, not 0.
  void sum_up() {
    profile::Profiling& f = p_.profiling;
    f.excess_ns = kNoEstimate;
    f.event_cost_ns = f.event_share_ns = f.disturbance_ns = f.residual_share = kUnknown;
    f.resolution_ns = f.cheapest_kernel_ns = f.gaps_ns = f.outside_layers_ns = kUnknown;
    for (const Layer& layer : p_.layers) f.raw_sum_ns += layer.time_ns.median;
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

  void attribute(Members members) {
    for (NodeId id = 0; id < resolved_->model().nodes().size(); ++id)
      p_.nodes.push_back(profile::node_row(*resolved_, id));
    for (std::size_t l = 0; l < p_.layers.size(); ++l)
      give_work(p_.layers[l], std::move(members.of_layer[l]), members.partly[l]);
    explain_rest(members);
    note_match(members);
  }

  void give_work(Layer& layer, std::vector<profile::Member> members, bool partly) {
    layer.members = std::move(members);
    layer.module = profile::module_of(*resolved_, layer.members);
    if (layer.members.empty()) {
      if (layer.inserted) layer.work = {};
      if (layer.inserted) return;
      ++p_.unattributed_layers;
      p_.unattributed_share += layer.share;
      return;
    }
    if (layer.type.empty()) layer.type = type_of(layer.members);
    if (work_unknown_) return;
    layer.work = {};
    for (const profile::Member& m : layer.members)
      if (m.role == Role::kExecutes)
        profile::add(layer.work, profile::work_of(resolved_->counts(m.node)));
    if (partly) return;  // work of what is known, a lower bound; bytes cannot be told
    const Traffic traffic = Crossing(*resolved_, layer.members).traffic();
    layer.bytes = traffic.read;
    profile::add(layer.bytes, traffic.written);
    layer.output_bytes = traffic.written;
  }

  /// The operator that does the work.
  std::string type_of(const std::vector<profile::Member>& members) const {
    const graph::Model& model = resolved_->model();
    for (const profile::Member& m : members)
      if (attribution::is_product(model.node(m.node).op_type))
        return std::string(model.node(m.node).op_type);
    return std::string(model.node(members.front().node).op_type);
  }

  /// Why a node has no layer, where that is certain.
  void explain_rest(const Members& members) {
    std::int64_t open = 0;
    for (NodeId n = 0; n < members.placed.size(); ++n) {
      if (members.placed[n]) continue;
      if (makes_constants(*resolved_, n))
        p_.without_layer.push_back({n, profile::Why::kFolded, {}});
      else if (attribution::neutral_input(*resolved_, n))
        p_.without_layer.push_back({n, profile::Why::kEliminated, {}});
      else
        ++open;
    }
    if (open > 0)
      p_.notes.push_back(
          fmt::format("{} of the model {} in no layer, and the recording does not say why",
                      counted(open, "node"), open == 1 ? "is" : "are"));
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
    std::string text = fmt::format("{} of {} by name to nodes of the model, {:.1f} % of their time",
                                   matched, counted(layers, "layer"), share);
    if (partly > 0)
      text += fmt::format("; {} of these {} names that it does not have", partly,
                          partly == 1 ? "lists" : "list");
    p_.notes.insert(p_.notes.begin(), "matched " + text);
    if (members.guessed > 0)
      p_.notes.push_back(fmt::format(
          "{} that no layer is named after {} beside the layer that makes what it reads (a guess)",
          counted(static_cast<std::int64_t>(members.guessed), "node"),
          members.guessed == 1 ? "stands" : "stand"));
  }

  Recorded recorded_;
  const Resolved* resolved_;
  const NameIndex* names_;
  bool work_unknown_ = false;  // of how many runs a layer has the time is unknown
  Profile p_;
};

}  // namespace

Profile join(Recorded recorded, const Resolved* resolved, const NameIndex* names) {
  return Joiner(std::move(recorded), resolved, names).run();
}

}  // namespace ridge::imports
