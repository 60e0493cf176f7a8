// SPDX-License-Identifier: Apache-2.0
#include "import/span_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "base/text.h"
#include "import/span_nesting.h"
#include "import/span_order.h"
#include "import/span_runs.h"
#include "stats/samples.h"

namespace ridge::imports {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;

// Example (spans_test.cc), thread 1: range conv1 > aten::conv2d > aten::_convolution >
// cudaLaunchKernel with correlation 7; kernel gemm (40 us) has correlation 7. The model has a node
// conv1. The kernel's launch is the call; nesting_.owner(call) is conv1, since a node's name
// outranks operators, so layer conv1 gets 40 us. Without a model the owner is the outermost
// operator, aten::conv2d. Kernel add (10 us) has no correlation, but External id 3 as operator
// aten::add: layer aten::add, 10 us. Kernel lost has neither: it becomes a layer of its own, in no
// operator.
class Charger {
 public:
  explicit Charger(const Spans& given)
      : given_(given),
        spans_(given.timeline.spans()),
        nesting_(given),
        runs_(given),
        order_(given, nesting_, runs_) {}

  SpanLayers run() {
    out_.overlapping = nesting_.overlapping();
    out_.odd_runs = order_.odd_runs();
    out_.refused = order_.refused();
    out_.notes = order_.notes();
    if (out_.refused) return std::move(out_);
    out_.layer_of.assign(spans_.size(), kNoLayer);
    sum_of_.assign(spans_.size(), nullptr);
    for (const Span& s : spans_) out_.on_device |= s.level == Level::kKernel;
    if (out_.on_device)
      charge_device();
    else
      charge_host();
    finish();
    return std::move(out_);
  }

 private:
  struct Part {
    std::size_t run = 0;
    std::int64_t ns = 0;
  };

  struct Sum {
    std::vector<Part> parts;  // per event; in odd files most layers occur in few of many steps
    std::uint32_t process = kNoProcess;  // lowest process that runs it
    std::int64_t first_ns = 0;           // earliest start in that process
    std::vector<SpanId> instances;
    std::unordered_map<TextId, std::int64_t> kernels;
    std::uint32_t row = 0;
  };

  struct Key {
    TextId name = 0;
    std::uint32_t nth = 0;  // position among the operators of this name in a run
    auto operator<=>(const Key&) const = default;
  };

  Sum& sum_of(Key key, std::uint32_t process, std::int64_t at_ns) {
    Sum& sum = sums_[key];
    if (process < sum.process) {
      sum.process = process;
      sum.first_ns = at_ns;
    } else if (process == sum.process) {
      sum.first_ns = std::min(sum.first_ns, at_ns);
    }
    return sum;
  }

  Key key_of(SpanId i) const { return {spans_[i].name, order_.nth(i)}; }

  void charge_device() {
    std::unordered_map<std::uint64_t, SpanId> launch, operation;
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (!on_host(spans_[i])) continue;
      if (spans_[i].level == Level::kLibrary && spans_[i].correlation != 0)
        launch.emplace(spans_[i].correlation, i);
      if (spans_[i].level == Level::kLayer && given_.facts[i].external != 0)
        operation.emplace(given_.facts[i].external, i);
    }
    const auto find = [](const auto& map, std::uint64_t id) {
      const auto at = id == 0 ? map.end() : map.find(id);
      return at == map.end() ? kNoSpan : at->second;
    };
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (spans_[i].level != Level::kKernel) continue;
      SpanId by = find(launch, spans_[i].correlation);
      if (by == kNoSpan || nesting_.owner(by) == kNoSpan)
        if (const SpanId op = find(operation, given_.facts[i].external); op != kNoSpan) by = op;
      if (by == kNoSpan) ++out_.unlaunched;
      charge(i, by);
    }
  }

  std::uint32_t process_of(SpanId kernel, SpanId by) const {
    const std::uint32_t own = given_.facts[by == kNoSpan ? kernel : by].process;
    return own == kNoProcess ? 0 : own;
  }

  void charge(SpanId kernel, SpanId by) {
    const Span& s = spans_[kernel];
    const std::uint32_t process = process_of(kernel, by);
    const std::int64_t at_ns = by == kNoSpan ? s.start_ns : spans_[by].start_ns;
    const auto run = runs_.of(process, at_ns);
    if (!run) {
      ++out_.outside;
      out_.layer_of[kernel] = kLeftOut;
      return;
    }
    if (by == kNoSpan && given_.processes.size() > 1 && runs_.step(*run) != kNoSpan)
      out_.inside.emplace_back(kernel, runs_.step(*run));
    const SpanId owner = by == kNoSpan ? kNoSpan : nesting_.owner(by);
    Sum& sum = sum_of(owner == kNoSpan ? Key{s.name, 0} : key_of(owner), process, at_ns);
    sum.parts.push_back({*run, s.duration_ns()});
    add_up(sum.kernels[s.name], s.duration_ns());
    sum.instances.push_back(owner == kNoSpan ? kernel : owner);
    sum_of_[kernel] = &sum;
    if (owner != kNoSpan) sum_of_[owner] = &sum;
  }

  void charge_host() {
    std::vector<std::int64_t> own_ns(spans_.size(), 0);
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (nesting_.owner(i) != i) continue;
      add_up(own_ns[i], spans_[i].duration_ns());
      const SpanId around = nesting_.around(i);
      const SpanId above = around == kNoSpan ? kNoSpan : nesting_.owner(around);
      if (above != kNoSpan) add_up(own_ns[above], -spans_[i].duration_ns());
    }
    for (SpanId i = 0; i < spans_.size(); ++i) {
      if (nesting_.owner(i) != i) continue;
      const std::uint32_t process = process_of(i, kNoSpan);
      const auto run = runs_.of(process, spans_[i].start_ns);
      if (!run) {
        ++out_.outside;
        out_.layer_of[i] = kLeftOut;
        continue;
      }
      Sum& sum = sum_of(key_of(i), process, spans_[i].start_ns);
      sum.parts.push_back({*run, std::max<std::int64_t>(0, own_ns[i])});
      sum.instances.push_back(i);
      sum_of_[i] = &sum;
    }
  }

  void finish() {
    std::vector<std::pair<Key, Sum*>> order;
    for (auto& [key, sum] : sums_) order.emplace_back(key, &sum);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      if (a.second->process != b.second->process) return a.second->process < b.second->process;
      return a.second->first_ns != b.second->first_ns ? a.second->first_ns < b.second->first_ns
                                                      : a.first < b.first;
    });
    count_runs();
    sum_processes();
    make_runs();
    out_.means = !keeps_runs(sums_.size(), out_.runs, spans_.size());
    for (const auto& [key, sum] : order) add_layer(key.name, *sum);
    for (SpanId i = 0; i < spans_.size(); ++i)
      if (sum_of_[i] != nullptr) out_.layer_of[i] = sum_of_[i]->row;
  }

  /// Excludes the runs of processes in which nothing ran: a process may only load data.
  void count_runs() {
    busy_.assign(given_.processes.size() + 1, false);
    for (const auto& [key, sum] : sums_)
      for (const Part& part : sum.parts) busy_[runs_.process_of(part.run)] = true;
    run_.assign(runs_.count(), 0);
    out_.runs = 0;
    runs_of_process_.assign(busy_.size(), 0);
    const std::vector<std::int64_t> steps_ns = runs_.steps_ns();
    for (std::size_t run = 0; run < runs_.count(); ++run) {
      if (!busy_[runs_.process_of(run)]) continue;
      run_[run] = out_.runs++;
      ++runs_of_process_[runs_.process_of(run)];
      if (run < steps_ns.size()) out_.runs_ns.push_back(steps_ns[run]);
    }
    out_.repeated = runs_.repeated();
    out_.runs_known = runs_.known();
  }

  /// Computes the time of each process's layers per run of the process.
  void sum_processes() {
    if (given_.processes.size() < 2) return;
    out_.process_ns.assign(given_.processes.size(), 0);
    std::vector<double> runs(given_.processes.size(), 0);
    for (std::size_t run = 0; run < runs_.count(); ++run) ++runs[runs_.process_of(run)];
    for (const auto& [key, sum] : sums_)
      for (const Part& part : sum.parts)
        out_.process_ns[runs_.process_of(part.run)] += static_cast<double>(part.ns);
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (runs[i] > 0) out_.process_ns[i] /= runs[i];
  }

  /// Lets queries find the run of a span: sets the step as parent, and makes spans for runs
  /// detected by repetition.
  void make_runs() {
    std::vector<Span> made(runs_.count());
    for (SpanId i = 0; i < spans_.size(); ++i) {
      const Span& s = spans_[i];
      if (!on_host(s) || nesting_.around(i) != kNoSpan || s.level == Level::kModel) continue;
      const auto run = runs_.of(process_of(i, kNoSpan), s.start_ns);
      if (!run) continue;
      if (runs_.step(*run) != kNoSpan && given_.processes.size() > 1)
        out_.inside.emplace_back(i, runs_.step(*run));
      if (!runs_.repeated() || nesting_.owner(i) != i) continue;
      Span& whole = made[*run];
      if (whole.name == 0)
        whole = {.name = s.name, .start_ns = s.start_ns, .end_ns = s.end_ns, .thread = s.thread};
      whole.start_ns = std::min(whole.start_ns, s.start_ns);
      whole.end_ns = std::max(whole.end_ns, s.end_ns);
    }
    for (const Span& whole : made)
      if (whole.name != 0) out_.made_runs.push_back(whole);
  }

  void add_layer(TextId name, Sum& sum) {
    std::ranges::sort(sum.instances);
    const auto last = std::unique(sum.instances.begin(), sum.instances.end());
    const SpanId first = sum.instances.front();
    sum.row = static_cast<std::uint32_t>(out_.layers.size());
    RecordedLayer layer;
    layer.name = given_.timeline.text(name);
    layer.type = kind_of(spans_[first]);
    layer.operation = order_.operation(first);
    const std::size_t runs = add_times(sum, layer);
    const auto among = static_cast<std::int64_t>(std::max<std::size_t>(1, runs));
    if (!runs_.known()) layer.recordings = among;
    layer.executions =
        std::max<std::int64_t>(1, ((last - sum.instances.begin()) + among / 2) / among);
    std::vector<std::pair<TextId, std::int64_t>> kernels(sum.kernels.begin(), sum.kernels.end());
    std::ranges::sort(kernels, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (const auto& [kernel, ns] : kernels)
      layer.kernels.push_back({std::string(given_.timeline.text(kernel)), "kernel",
                               static_cast<double>(ns) / static_cast<double>(among)});
    out_.layers.push_back(std::move(layer));
  }

  /// Sets the layer's times over the runs of those processes that run it, and returns the number of
  /// these runs: other processes spend no time in it.
  std::size_t add_times(Sum& sum, RecordedLayer& layer) {
    std::set<std::uint32_t> processes;
    for (const Part& part : sum.parts) processes.insert(runs_.process_of(part.run));
    std::size_t runs = 0;
    for (const std::uint32_t process : processes) runs += runs_of_process_[process];
    std::vector<std::int64_t> ns(out_.means ? 1 : out_.runs);
    for (const Part& part : sum.parts) add_up(ns[out_.means ? 0 : run_[part.run]], part.ns);
    sum.parts = {};
    if (out_.means) {
      layer.time_ns = static_cast<double>(ns[0]) / static_cast<double>(runs);
    } else if (runs == out_.runs) {
      layer.runs_ns = std::move(ns);
    } else {
      out_.partly_run = true;
      std::vector<std::int64_t> own;
      for (std::size_t run = 0; run < runs_.count(); ++run)
        if (processes.contains(runs_.process_of(run))) own.push_back(ns[run_[run]]);
      layer.time_ns = stats::median(stats::as_doubles(own));
    }
    return runs;
  }

  static std::string kind_of(const Span& s) {
    if (s.level == Level::kKernel) return "kernel";
    return s.level == Level::kLayer ? "operator" : "range";
  }

  const Spans& given_;
  const std::vector<Span>& spans_;
  SpanNesting nesting_;
  SpanRuns runs_;
  SpanOrder order_;
  std::map<Key, Sum> sums_;
  std::vector<Sum*> sum_of_;  // by span
  std::vector<bool> busy_;    // by process
  std::vector<std::size_t> runs_of_process_;
  std::vector<std::size_t> run_;  // by run of runs_: its index among the runs of busy processes
  SpanLayers out_;
};

void note_layers(const SpanLayers& found, std::vector<std::string>& notes) {
  if (found.unlaunched > 0)
    notes.push_back(fmt::format("{} on the device without the call that launched {}",
                                counted(found.unlaunched, "span"),
                                found.unlaunched == 1 ? "it" : "them"));
  if (found.outside > 0)
    notes.push_back(
        fmt::format("{} outside of all steps left out", counted(found.outside, "span")));
  if (found.odd_runs > 0)
    notes.push_back(fmt::format("{} left out: other operators ran than in most",
                                counted(static_cast<std::int64_t>(found.odd_runs), "step")));
  Oddities odd;
  odd.overlapping = found.overlapping;
  note(odd, notes);
  if (found.means) note_means(found.layers.size(), found.runs, notes);
  if (found.partly_run)
    notes.emplace_back("not every process runs every layer: times are of those that do");
  const auto runs = static_cast<std::int64_t>(found.runs);
  std::string of = "sums over the whole recording";
  if (found.runs_known)
    of = found.repeated
             ? fmt::format("per run of {}, told by the operators that repeat", counted(runs, "run"))
             : "per step of " + counted(runs, "step");
  else if (found.runs > 1)
    of += fmt::format(" of each of {} processes", runs);
  notes.push_back(fmt::format(
      "times are {}, {}, with the profiler on",
      found.on_device ? "of the device" : "of the host alone: nothing ran on a device", of));
}

}  // namespace

SpanLayers layers_of(const Spans& spans) { return Charger(spans).run(); }

bool add_layers(SpanLayers found, Recorded& recorded) {
  recorded.notes.insert(recorded.notes.end(), found.notes.begin(), found.notes.end());
  note_layers(found, recorded.notes);
  profile::Timeline& t = recorded.timeline;
  const TextId layer = t.intern("layer"), none = t.intern("none");
  for (SpanId i = 0; i < t.spans().size(); ++i) {
    Span& s = t.spans()[i];
    const std::uint32_t row = found.layer_of[i];
    if (s.level != Level::kKernel) {
      if (row < kLeftOut)
        s.level = Level::kLayer;
      else if (s.level == Level::kLayer)
        s.level = Level::kLibrary;
    }
    if (row == kLeftOut) t.attribute(i, layer, none);
    if (row < kLeftOut) t.attribute(i, layer, t.intern(fmt::format("{}", row)));
  }
  for (const auto& [span, step] : found.inside) t.spans()[span].parent = step;
  for (Span whole : found.made_runs) {
    whole.level = Level::kModel;
    whole.name = t.intern("run, by the operators that repeat");
    t.add(whole);
  }
  recorded.process_ns = std::move(found.process_ns);
  recorded.layers = std::move(found.layers);
  recorded.runs_ns = std::move(found.runs_ns);
  recorded.runs_unknown = !found.runs_known;
  return !recorded.layers.empty();
}

void note_processes(const std::vector<std::string>& processes, Recorded& recorded) {
  double all = 0;
  for (const double ns : recorded.process_ns) all += ns;
  const auto busy = std::ranges::count_if(recorded.process_ns, [](double ns) { return ns > 0; });
  if (busy < 2) return;
  std::string text;
  constexpr std::size_t kMaxNamed = 16;
  for (std::size_t i = 0; i < processes.size() && i < kMaxNamed; ++i)
    if (recorded.process_ns[i] > 0)
      text += fmt::format("{}{} {:.3f} ms ({:.1f} %)", text.empty() ? "" : ", ",
                          printable(processes[i]), recorded.process_ns[i] / 1e6,
                          100 * recorded.process_ns[i] / all);
  const auto rest = std::span(recorded.process_ns).subspan(std::min(kMaxNamed, processes.size()));
  if (std::ranges::any_of(rest, [](double ns) { return ns > 0; })) text += ", ...";
  recorded.notes.push_back("layers per run of each process: " + text);
}

void begin_at_zero(profile::Timeline& timeline) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -first;
  for (const Span& s : timeline.spans()) {
    first = std::min(first, s.start_ns);
    last = std::max(last, s.end_ns);
  }
  // Leaves times alone whose range exceeds 64 bits.
  if (std::int64_t range = 0; __builtin_sub_overflow(last, first, &range)) return;
  for (Span& s : timeline.spans()) {
    s.start_ns -= first;
    s.end_ns -= first;
  }
}

}  // namespace ridge::imports
