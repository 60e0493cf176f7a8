// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/traffic.h"

#include <algorithm>
#include <optional>

#include "analysis/bodies.h"
#include "analysis/node_bytes.h"
#include "analysis/traffic/fuser.h"
#include "analysis/traffic/storage.h"
#include "analysis/traffic/tensor_cache.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Number of executions that a visit represents; nullopt if it depends on data.
using Weight = std::optional<std::int64_t>;

class Schedule {
 public:
  Schedule(const Resolved& r, const Fusion& fusion, const Storage& storage, std::int64_t cache)
      : r_(r),
        model_(r.model()),
        fusion_(fusion),
        storage_(storage),
        bytes_(r, cache),
        cache_(cache, model_.values().size()),
        made_(model_.values().size()),
        seen_(model_.values().size()),
        previous_(model_.nodes().size(), kNone),
        expected_(model_.nodes().size()),
        most_(model_.nodes().size()),
        unknown_(model_.nodes().size()) {
    std::vector<NodeId> newest(model_.nodes().size(), kNone);
    for (const graph::Graph& g : model_.graphs()) {
      for (const NodeId n : g.order) {
        const NodeId last = fusion_.runs_with[n];
        previous_[n] = std::exchange(newest[last], n);
      }
    }
  }

  void run() {
    for (const ValueId v : model_.main().inputs) begin_to_live(storage_.home(v));
    walk(0, 1);
  }

  bool overflowed() const { return overflowed_; }
  std::int64_t peak() const { return peak_; }
  /// Totals over all executions; unknown if a size is unknown.
  ops::Dim expected(NodeId n) const { return unknown_[n] ? ops::Dim() : ops::Dim(expected_[n]); }
  ops::Dim most(NodeId n) const { return unknown_[n] ? ops::Dim() : ops::Dim(most_[n]); }

 private:
  static constexpr std::int64_t kSpareVisits = 1'000'000;

  struct Made {
    NodeId by = kNone;         ///< producer; kNone: present from the start
    std::int64_t written = 0;  ///< bytes
    Weight weight;
    std::int64_t live = 0;  ///< bytes counted among the live activations
  };

  void walk(graph::GraphId g, Weight weight) {
    const graph::Graph& graph = model_.graphs()[g];
    for (const NodeId n : graph.order) {
      if (fusion_.runs_with[n] != n) continue;
      ++visits_;
      if (model_.node(n).bodies.empty())
        run_group(n, weight);
      else
        run_bodies(n, weight);
      storage_.after(n, [this](ValueId home) { retire(home); });
    }
    for (const ValueId v : graph.outputs)
      if (v != kNone && model_.value(storage_.home(v)).graph == g) hand_out(storage_.home(v));
  }

  void run_bodies(NodeId n, Weight weight) {
    const graph::Node& node = model_.node(n);
    const Bodies kind = bodies_of(node);
    const bool own_memory = kind != Bodies::kCall && kind != Bodies::kIf;
    for (const ValueId v : node.outputs)
      if (own_memory && v != kNone) begin_to_live(storage_.home(v));
    for (const graph::GraphId g : node.bodies) {
      // Two passes stand for any number of trips: the first finds the cache as the owner left it,
      // every later one as the body itself left it. 12 trips are a pass of weight 1 and one of
      // weight 11. Nested loops double the passes at each level; past the limit one pass has all
      // the weight.
      const Weight trips = trips_of(g, n);
      if (trips == 0) continue;
      const bool again = trips && *trips > 1 && visits_ < max_visits();
      pass(g, times(weight, again ? Weight(1) : trips), own_memory);
      if (again) pass(g, times(weight, *trips - 1), own_memory);
    }
  }

  std::int64_t max_visits() const {
    return 4 * static_cast<std::int64_t>(model_.nodes().size()) + kSpareVisits;
  }

  Weight times(Weight around, Weight trips) {
    if (!around || !trips) return std::nullopt;
    const Weight product = checked_mul(*around, *trips);
    overflowed_ = overflowed_ || !product;
    return product;
  }

  void pass(graph::GraphId g, Weight weight, bool own_memory) {
    for (const ValueId v : model_.graphs()[g].inputs) {
      if (!own_memory || v == kNone) continue;
      cache_.drop(storage_.home(v));
      begin_to_live(storage_.home(v));
    }
    walk(g, weight);
  }

  /// Trips of a body per execution of its owner.
  Weight trips_of(graph::GraphId g, NodeId owner) const {
    const auto order = model_.graphs()[g].order;
    if (order.empty()) return 0;
    // repeat() counts from the main graph: a body that runs 12 times, of a Loop that itself runs 3
    // times, has 4 trips.
    const ops::Dim inside = r_.repeat(order[0]), around = r_.repeat(owner);
    if (inside.is(0)) return 0;
    if (!inside.known() || !around.known() || around.is(0)) return std::nullopt;
    return inside.value() / around.value();
  }

  void run_group(NodeId last, Weight weight) {
    members_.clear();
    for (NodeId n = last; n != kNone; n = previous_[n])
      if (!fusion_.folded[n]) members_.push_back(n);
    std::reverse(members_.begin(), members_.end());
    ++groups_;
    for (const NodeId n : members_) read(n, weight);
    for (const NodeId n : members_) write(n, weight);
    peak_ = std::max(peak_, live_);
  }

  // Example: 32-byte tensors, cache 72. h = Relu(x); y = Neg(z); w = Abs(h). When Abs reads h, the
  // tensors z and y (64 bytes) were accessed since: 8 bytes of h are resident and 24 are fetched.
  // When h retires, its least residency was 8, so 24 bytes of writes are charged to Relu.
  void read(NodeId n, Weight weight) {
    if (!weight || !bytes_.known(n)) unknown_[n] = true;
    for (NodeRead at : bytes_.reads(n)) {
      if (const auto taken = fusion_.instead.find({n, at.value}); taken != fusion_.instead.end()) {
        const std::int64_t size = value_bytes(r_, taken->second).value_or(0);
        for (std::int64_t* part : {&at.touched, &at.again, &at.again_at_most})
          *part = scaled(*part, size, at.size);
        at.value = taken->second;
        at.size = size;
      } else if (fusion_.inside[at.value]) {
        continue;
      }
      const ValueId home = storage_.home(at.value);
      if (seen_[home] == groups_) continue;
      seen_[home] = groups_;
      const std::int64_t there = std::min(cache_.resident(home), at.size);
      const std::int64_t fetched = at.touched - proportion(there, at.touched, at.size);
      cache_.read(home, there + fetched);
      add(expected_[n], fetched, weight);
      add(expected_[n], at.again, weight);
      add(most_[n], at.touched, weight);
      add(most_[n], at.again_at_most, weight);
    }
  }

  void write(NodeId n, Weight weight) {
    for (const NodeWrite& at : bytes_.writes(n)) {
      if (fusion_.inside[at.value]) continue;
      const ValueId home = storage_.home(at.value);
      begin_to_live(home);
      made_[home].by = n;
      made_[home].written = at.bytes;
      made_[home].weight = weight;
      cache_.produce(home, at.size);
      add(most_[n], at.bytes, weight);
    }
  }

  /// Called after the last reader: the cached part need not be written to memory.
  void retire(ValueId home) {
    Made& made = made_[home];
    live_ -= std::exchange(made.live, 0);
    if (made.by == kNone) return;
    const std::int64_t size = value_bytes(r_, home).value_or(0);
    put_down(made, std::min(made.written, size - cache_.least(home)));
    cache_.drop(home);
  }

  /// Called for an output of the graph: all of it is written to memory.
  void hand_out(ValueId home) {
    Made& made = made_[home];
    live_ -= std::exchange(made.live, 0);
    put_down(made, made.written);
    cache_.drop(home);
  }

  void put_down(Made& made, std::int64_t bytes) {
    if (made.by == kNone) return;
    add(expected_[made.by], bytes, made.weight);
    made.by = kNone;
  }

  void begin_to_live(ValueId home) {
    if (made_[home].live != 0 || r_.constant(home) || r_.value(home) != nullptr) return;
    const std::int64_t bytes = value_bytes(r_, home).value_or(0);
    const auto live = checked_add(live_, bytes);
    if (!live) {
      overflowed_ = true;
      return;
    }
    made_[home].live = bytes;
    live_ = *live;
    peak_ = std::max(peak_, live_);
  }

  /// Scales `bytes` (part or multiple of a tensor of `from` bytes) to a tensor of `to` bytes.
  static std::int64_t scaled(std::int64_t bytes, std::int64_t to, std::int64_t from) {
    if (from == 0) return 0;
    return bytes / from * to + proportion(bytes % from, to, from);
  }

  void add(std::int64_t& sum, std::int64_t bytes, Weight weight) {
    if (!weight) return;
    const auto more = checked_mul(bytes, *weight);
    const auto total = more ? checked_add(sum, *more) : std::nullopt;
    if (!total) overflowed_ = true;
    sum = total.value_or(sum);
  }

  const Resolved& r_;
  const graph::Model& model_;
  const Fusion& fusion_;
  const Storage& storage_;
  NodeBytes bytes_;
  TensorCache cache_;               // by home
  std::vector<Made> made_;          // by home
  std::vector<std::int64_t> seen_;  // by home: last group that read it
  std::vector<NodeId> previous_;    // by node: previous member of its group
  std::vector<std::int64_t> expected_, most_;
  std::vector<bool> unknown_;
  std::vector<NodeId> members_;
  std::int64_t groups_ = 0, visits_ = 0;
  std::int64_t live_ = 0, peak_ = 0;
  bool overflowed_ = false;
};

struct Outcome {
  std::vector<ops::Dim> expected, most;  // by node
  std::optional<std::int64_t> total_expected, total_most;
  std::int64_t peak = 0;
  bool overflowed = false;
};

/// Sum of the known counts; nullopt if it exceeds 2^63 - 1.
std::optional<std::int64_t> known_sum(const std::vector<ops::Dim>& figures) {
  std::optional<std::int64_t> total = 0;
  for (const ops::Dim d : figures)
    if (d.known() && total) total = checked_add(*total, d.value());
  return total;
}

Outcome run_past(std::int64_t cache, const Resolved& resolved, const Fusion& fusion,
                 const Storage& storage) {
  Schedule schedule(resolved, fusion, storage, cache);
  schedule.run();
  Outcome out;
  for (NodeId n = 0; n < resolved.model().nodes().size(); ++n) {
    out.expected.push_back(schedule.expected(n));
    out.most.push_back(schedule.most(n));
  }
  out.total_expected = known_sum(out.expected);
  out.total_most = known_sum(out.most);
  out.peak = schedule.peak();
  out.overflowed = schedule.overflowed() || !out.total_expected || !out.total_most;
  return out;
}

Error too_much() {
  return input_error("RIDGE-ANA-0205", "the model moves more than 2^63 - 1 bytes")
      .hint("check the sizes given with --bind and --shape");
}

}  // namespace

Result<Traffic> traffic(const Resolved& resolved, const TrafficModel& model) {
  Fusion fusion = assume_fusion(resolved, model.fuse);
  const Storage storage(resolved, fusion);
  const Outcome boundless = run_past(TensorCache::kBoundless, resolved, fusion, storage);
  Outcome past = run_past(model.cache_bytes, resolved, fusion, storage);
  if (past.overflowed || boundless.overflowed) return too_much();

  Traffic out;
  out.model = model;
  out.totals.least = *boundless.total_expected;
  out.totals.expected = *past.total_expected;
  out.totals.most = *past.total_most;
  out.totals.peak_activation_bytes = past.peak;
  out.totals.fused = fusion.fused;
  out.totals.incomplete =
      std::any_of(past.most.begin(), past.most.end(), [](ops::Dim d) { return d.unknown(); });
  out.expected = std::move(past.expected);
  out.most = std::move(past.most);
  out.runs_with = std::move(fusion.runs_with);
  return out;
}

}  // namespace ridge::analysis
