#include "import/span_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/text.h"

namespace ridge::imports {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;

/// Ends are rounded: a span that outlasts its parent by less is still inside.
constexpr std::int64_t kRounding = 1000;  // ns

struct Step {
  std::int64_t start_ns = 0, end_ns = 0;
};

/// Of the host: a span of a device has a queue.
bool host(const Span& s) { return s.level != Level::kKernel && s.queue == 0; }

bool is_step_name(std::string_view name) { return name.starts_with("ProfilerStep#"); }

class Charger {
 public:
  explicit Charger(const Spans& given)
      : given_(given), spans_(given.timeline.spans()), owner_(spans_.size(), kNoSpan) {}

  SpanLayers run() {
    find_steps();
    nest();
    for (const Span& s : spans_) out_.on_device |= s.level == Level::kKernel;
    if (out_.on_device)
      charge_device();
    else
      charge_host();
    finish();
    return std::move(out_);
  }

 private:
  void find_steps() {
    for (const Span& s : spans_)
      if (s.level == Level::kModel && is_step(s)) steps_.push_back({s.start_ns, s.end_ns});
    std::ranges::sort(steps_, {}, &Step::start_ns);
    for (const Step& step : steps_) out_.runs_ns.push_back(step.end_ns - step.start_ns);
  }

  /// The owner of every span of the host, from outside to inside, thread by thread.
  void nest() {
    std::vector<SpanId> order;
    for (SpanId i = 0; i < spans_.size(); ++i)
      if (host(spans_[i])) order.push_back(i);
    std::ranges::sort(order, [&](SpanId a, SpanId b) {
      const Span &x = spans_[a], &y = spans_[b];
      if (x.thread != y.thread) return x.thread < y.thread;
      if (x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
      return x.end_ns != y.end_ns ? x.end_ns > y.end_ns : a < b;
    });
    around_.assign(spans_.size(), kNoSpan);
    std::vector<SpanId> open;
    for (const SpanId i : order) {
      if (!open.empty() && spans_[open.back()].thread != spans_[i].thread) open.clear();
      while (!open.empty() && spans_[open.back()].end_ns <= spans_[i].start_ns) open.pop_back();
      while (!open.empty() && spans_[open.back()].end_ns < spans_[i].end_ns - kRounding) {
        ++out_.overlapping;
        open.pop_back();
      }
      around_[i] = open.empty() ? kNoSpan : open.back();
      own(i);
      open.push_back(i);
    }
  }

  bool is_named(TextId name) {
    if (given_.names == nullptr) return false;
    const auto [at, fresh] = named_.try_emplace(name, false);
    if (fresh)
      at->second = static_cast<bool>(given_.names->find(given_.timeline.text(name), given_.naming));
    return at->second;
  }

  /// A node's name before an operation, an operation before a range, of operations the outermost.
  void own(SpanId i) {
    const SpanId parent = around_[i];
    const SpanId above = parent == kNoSpan ? kNoSpan : owner_[parent];
    const Span& s = spans_[i];
    const bool candidate =
        s.level == Level::kLayer ||
        ((s.level == Level::kModel || s.level == Level::kApplication) && !is_step(s));
    owner_[i] = above;
    if (candidate &&
        (above == kNoSpan || rank(s) > rank(spans_[above]) ||
         (rank(s) == rank(spans_[above]) && s.level != Level::kLayer) || rank(s) == kNamed))
      owner_[i] = i;
  }

  enum Rank : std::uint8_t { kRange, kOperation, kNamed };

  Rank rank(const Span& s) {
    if (is_named(s.name)) return kNamed;
    return s.level == Level::kLayer ? kOperation : kRange;
  }

  bool is_step(const Span& s) const { return is_step_name(given_.timeline.text(s.name)); }

  /// The run that a moment is in; nullopt: none.
  std::optional<std::size_t> run_of(std::int64_t ns) const {
    if (steps_.empty()) return 0;
    auto after = std::ranges::upper_bound(steps_, ns, {}, &Step::start_ns);
    if (after == steps_.begin()) return std::nullopt;
    --after;
    if (ns > after->end_ns) return std::nullopt;
    return static_cast<std::size_t>(after - steps_.begin());
  }

  struct Part {
    std::size_t run = 0;
    std::int64_t ns = 0;
  };

  struct Sum {
    std::vector<Part> parts;  // by event: most layers are in few of many steps where a file is odd
    std::int64_t first_ns = 0;
    std::vector<SpanId> instances;
    std::unordered_map<TextId, std::int64_t> kernels;
  };

  Sum& sum_of(TextId name, std::int64_t at_ns) {
    const auto [at, fresh] = sums_.try_emplace(name);
    Sum& sum = at->second;
    if (fresh) sum.first_ns = at_ns;
    sum.first_ns = std::min(sum.first_ns, at_ns);
    return sum;
  }

  void charge_device() {
    std::unordered_map<std::uint64_t, SpanId> launch, operation;
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (!host(spans_[i])) continue;
      if (spans_[i].level == Level::kLibrary && spans_[i].correlation != 0)
        launch.emplace(spans_[i].correlation, i);
      if (spans_[i].level == Level::kLayer && !given_.external.empty() && given_.external[i] != 0)
        operation.emplace(given_.external[i], i);
    }
    const auto find = [](const auto& map, std::uint64_t id) {
      const auto at = id == 0 ? map.end() : map.find(id);
      return at == map.end() ? kNoSpan : at->second;
    };
    for (SpanId i = 0; i < spans_.size(); ++i) {
      const Span& s = spans_[i];
      if (s.level != Level::kKernel) continue;
      SpanId by = find(launch, s.correlation);
      if (by == kNoSpan || owner_[by] == kNoSpan)
        if (const SpanId op =
                given_.external.empty() ? kNoSpan : find(operation, given_.external[i]);
            op != kNoSpan)
          by = op;
      if (by == kNoSpan) ++out_.unlaunched;
      charge(s, by);
    }
  }

  void charge(const Span& s, SpanId by) {
    const std::int64_t at_ns = by == kNoSpan ? s.start_ns : spans_[by].start_ns;
    const auto run = run_of(at_ns);
    if (!run) {
      ++out_.outside;
      return;
    }
    const SpanId owner = by == kNoSpan ? kNoSpan : owner_[by];
    Sum& sum = sum_of(owner == kNoSpan ? s.name : spans_[owner].name, at_ns);
    sum.parts.push_back({*run, s.duration_ns()});
    add_up(sum.kernels[s.name], s.duration_ns());
    sum.instances.push_back(owner == kNoSpan ? static_cast<SpanId>(&s - spans_.data()) : owner);
  }

  void charge_host() {
    std::vector<std::int64_t> own_ns(spans_.size(), 0);
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (owner_[i] != i) continue;
      add_up(own_ns[i], spans_[i].duration_ns());
      const SpanId above = around_[i] == kNoSpan ? kNoSpan : owner_[around_[i]];
      if (above != kNoSpan) add_up(own_ns[above], -spans_[i].duration_ns());
    }
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (owner_[i] != i) continue;
      const auto run = run_of(spans_[i].start_ns);
      if (!run) {
        ++out_.outside;
        continue;
      }
      Sum& sum = sum_of(spans_[i].name, spans_[i].start_ns);
      sum.parts.push_back({*run, std::max<std::int64_t>(0, own_ns[i])});
      sum.instances.push_back(i);
    }
  }

  void finish() {
    std::vector<std::pair<TextId, Sum*>> order;
    for (auto& [name, sum] : sums_) order.emplace_back(name, &sum);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.second->first_ns != b.second->first_ns ? a.second->first_ns < b.second->first_ns
                                                      : a.first < b.first;
    });
    out_.is_layer.assign(spans_.size(), false);
    out_.means = !keeps_runs(sums_.size(), runs(), spans_.size());
    for (const auto& [name, sum] : order) add_layer(name, *sum);
  }

  std::size_t runs() const { return std::max<std::size_t>(1, steps_.size()); }

  /// Runs of a layer, or one that is the sum of all.
  std::vector<std::int64_t> add_parts(Sum& sum) const {
    std::vector<std::int64_t> out(out_.means ? 1 : runs());
    for (const Part& part : sum.parts) add_up(out[out_.means ? 0 : part.run], part.ns);
    sum.parts = {};
    return out;
  }

  void add_layer(TextId name, Sum& sum) {
    std::ranges::sort(sum.instances);
    for (const SpanId i : sum.instances) out_.is_layer[i] = true;
    const auto last = std::unique(sum.instances.begin(), sum.instances.end());
    const auto runs = static_cast<std::int64_t>(this->runs());
    RecordedLayer layer;
    layer.name = given_.timeline.text(name);
    layer.type = kind_of(spans_[sum.instances.front()]);
    layer.executions =
        std::max<std::int64_t>(1, ((last - sum.instances.begin()) + runs / 2) / runs);
    std::vector<std::pair<TextId, std::int64_t>> kernels(sum.kernels.begin(), sum.kernels.end());
    std::ranges::sort(kernels, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (const auto& [kernel, ns] : kernels)
      layer.kernels.push_back({std::string(given_.timeline.text(kernel)), "kernel",
                               static_cast<double>(ns) / static_cast<double>(runs)});
    layer.runs_ns = add_parts(sum);
    if (out_.means) {
      layer.time_ns = static_cast<double>(layer.runs_ns[0]) / static_cast<double>(runs);
      layer.runs_ns.clear();
    }
    out_.layers.push_back(std::move(layer));
  }

  static std::string kind_of(const Span& s) {
    if (s.level == Level::kKernel) return "kernel";
    return s.level == Level::kLayer ? "operator" : "range";
  }

  const Spans& given_;
  const std::vector<Span>& spans_;
  std::vector<SpanId> around_, owner_;  // by span; of the host
  std::vector<Step> steps_;
  std::unordered_map<TextId, bool> named_;
  std::unordered_map<TextId, Sum> sums_;
  SpanLayers out_;
};

}  // namespace

SpanLayers layers_of(const Spans& spans) { return Charger(spans).run(); }

bool add_layers(SpanLayers found, Recorded& recorded) {
  std::vector<std::string>& notes = recorded.notes;
  if (found.unlaunched > 0)
    notes.push_back(fmt::format("{} on the device without the call that launched {}",
                                counted(found.unlaunched, "span"),
                                found.unlaunched == 1 ? "it" : "them"));
  if (found.outside > 0)
    notes.push_back(
        fmt::format("{} outside of all steps left out", counted(found.outside, "span")));
  Oddities odd;
  odd.overlapping = found.overlapping;
  note(odd, notes);
  const auto runs = std::ssize(found.runs_ns);
  if (found.means) note_means(found.layers.size(), found.runs_ns.size(), notes);
  notes.push_back(fmt::format(
      "times are {}, {}, with the profiler on",
      found.on_device ? "of the device" : "of the host alone: nothing ran on a device",
      runs == 0 ? "sums over the whole recording" : "per step of " + counted(runs, "step")));
  std::vector<Span>& spans = recorded.timeline.spans();
  for (SpanId i = 0; i < spans.size(); ++i) {
    if (spans[i].level == Level::kKernel) continue;
    if (found.is_layer[i])
      spans[i].level = Level::kLayer;
    else if (spans[i].level == Level::kLayer)
      spans[i].level = Level::kLibrary;
  }
  recorded.layers = std::move(found.layers);
  recorded.runs_ns = std::move(found.runs_ns);
  recorded.runs_unknown = runs == 0;
  return !recorded.layers.empty();
}

void mark_steps(profile::Timeline& timeline) {
  for (Span& s : timeline.spans())
    if (s.level == Level::kApplication && host(s) && is_step_name(timeline.text(s.name)))
      s.level = Level::kModel;
}

void begin_at_zero(profile::Timeline& timeline) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -first;
  for (const Span& s : timeline.spans()) {
    first = std::min(first, s.start_ns);
    last = std::max(last, s.end_ns);
  }
  // Times further apart than 64 bits can say stay as they are.
  if (std::int64_t range = 0; __builtin_sub_overflow(last, first, &range)) return;
  for (Span& s : timeline.spans()) {
    s.start_ns -= first;
    s.end_ns -= first;
  }
}

}  // namespace ridge::imports
