// ONNX Runtime's profile. Layers are its kernels by name, runs its "model_run" events; a kernel
// belongs to the run that encloses it. Times of If, Loop and Scan include their bodies, whose
// kernels have events of their own: these are subtracted.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/number.h"
#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/names.h"
#include "profile/ort_trace.h"
#include "profile/precision.h"
#include "stats/samples.h"

namespace ridge::imports {
namespace {

using profile::Level;
using profile::OrtEvent;
using profile::OrtInterval;

/// ONNX Runtime's limit on recorded events (core/common/profiler.h, max_num_events).
constexpr std::int64_t kEventLimit = 1'000'000;
constexpr std::uint32_t kNoLayer = 0xffffffff;
// µs; larger times could overflow as nanoseconds
constexpr std::int64_t kLongest = INT64_MAX / 4000;

/// Parses the dimensions in [{"float":[1,64,56,56]},{"int64":[]}]. Linear in the text.
std::vector<Dims> sizes_in(std::string_view shapes) {
  std::vector<Dims> out;
  for (std::size_t open = shapes.find(":["); open != std::string_view::npos;
       open = shapes.find(":[")) {
    shapes.remove_prefix(open + 2);
    const std::size_t end = shapes.find(']');
    if (end == std::string_view::npos) break;
    Dims& dims = out.emplace_back();
    for (std::string_view rest = shapes.substr(0, end); !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      dims.push_back(whole_number<std::int64_t>(rest.substr(0, comma)).value_or(-1));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return out;
}

struct Run {
  std::int64_t start_us = 0, end_us = 0;
  std::uint64_t thread = 0;
  std::size_t index = 0;  // position in order of start
};

class Reader {
 public:
  explicit Reader(std::string_view content) : trace_(content) {
    out_.tool = "ONNX Runtime";
    out_.naming = Naming::kOnnxRuntime;
  }

  Result<Recorded> run() {
    OrtEvent event;
    while (trace_.next(event)) take(event);
    note(trace_.damage(), out_.notes);
    note(odd_, out_.notes);
    if (events_ >= kEventLimit)
      out_.notes.push_back(fmt::format(
          "it holds {} events: ONNX Runtime stops recording at {}, so runs may be missing", events_,
          kEventLimit));
    if (out_.layers.empty())
      return input_error("RIDGE-IMP-0010", "the profile has no kernel events")
          .evidence(counted(events_, "event") + " of the session")
          .hint("record at least one run, and end profiling before the process ends");
    order_runs();
    sum_up();
    if (kept_ == 0)
      return input_error("RIDGE-IMP-0011", "no kernel lies in a completed run")
          .evidence(fmt::format("{}, {}", counted(left_out_, "kernel event"),
                                counted(std::ssize(runs_), "run")))
          .hint("the file ends within its first run; record a smaller model, or free disk space");
    return std::move(out_);
  }

 private:
  void take(const OrtEvent& event) {
    ++events_;
    if (event.duration_us < 0) {
      ++odd_.negative;
      return;
    }
    if (!event.timed || event.duration_us > kLongest || event.start_us > kLongest ||
        event.start_us < -kLongest) {
      ++odd_.out_of_range;
      return;
    }
    // Events are written in order of their ends.
    const std::int64_t end_us = event.start_us + event.duration_us;
    if (end_us + 1 < last_end_[event.thread]) ++odd_.backwards;
    last_end_[event.thread] = end_us;
    rows_.push_back({event.start_us, event.duration_us, event.thread, event.holds_events()});
    layer_of_.push_back(event.node ? layer_of(event) : kNoLayer);
    if (event.node) {
      add_span(event, Level::kLayer, profile::kernel_name(event.name));
      out_.timeline.attribute("type", event.op_type);
    } else if (event.session) {
      take_session(event);
    }
  }

  void take_session(const OrtEvent& event) {
    if (event.name == "model_run") {
      runs_.push_back({event.start_us, event.start_us + event.duration_us, event.thread, 0});
      add_span(event, Level::kModel, event.name);
    } else if (event.name == "session_initialization" || event.name.starts_with("model_loading")) {
      std::int64_t load = out_.load_ns.value_or(0);
      add_up(load, event.duration_us * 1000);
      out_.load_ns = load;
      add_span(event, Level::kApplication, event.name);
    }
  }

  void add_span(const OrtEvent& event, Level level, std::string_view name) {
    profile::Timeline& t = out_.timeline;
    t.add({.level = level,
           .name = t.intern(name),
           .start_ns = event.start_us * 1000,
           .end_ns = (event.start_us + event.duration_us) * 1000,
           .thread = t.intern(std::to_string(event.thread))});
  }

  /// Sets the element type of the inputs. Floating-point types are taken from the recording; 8-bit
  /// kernels replace nodes that are floating point in the model, so their other types do not apply.
  static void set_widths(const OrtEvent& event, RecordedLayer& layer) {
    if (layer.precision == "int8") return;
    const std::string read = profile::precision_of("", event.input_shapes);
    layer.input_precision = read.starts_with("float") || read == "bfloat16" ? read : "as stored";
  }

  std::uint32_t layer_of(const OrtEvent& event) {
    const std::string_view name = profile::kernel_name(event.name);
    key_.assign(event.op_type).append(1, '\0').append(name);
    const auto [at, fresh] =
        layers_.try_emplace(key_, static_cast<std::uint32_t>(out_.layers.size()));
    if (fresh) {
      RecordedLayer& layer = out_.layers.emplace_back();
      layer.name = name;
      layer.type = event.op_type;
      layer.implementation = event.provider;
      layer.precision = profile::precision_of(event.op_type, event.output_shapes);
      layer.inserted = inserted_name(name, event.op_type, Naming::kOnnxRuntime);
      set_widths(event, layer);
      layer.inputs = sizes_in(event.input_shapes);
      layer.outputs = sizes_in(event.output_shapes);
      layer.output_shapes = event.output_shapes;
    } else if (RecordedLayer& layer = out_.layers[at->second];
               layer.outputs_later.empty() && layer.output_shapes != event.output_shapes) {
      layer.outputs_later = sizes_in(event.output_shapes);
    }
    return at->second;
  }

  void order_runs() {
    std::ranges::sort(runs_, {}, &Run::start_us);
    if (runs_.empty()) {
      out_.notes.push_back("it has no model_run events: all kernels count as one run");
      runs_.push_back({-kLongest, kLongest, 0, 0});
      whole_ = true;
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      runs_[i].index = i;
      by_thread_[runs_[i].thread].push_back(runs_[i]);
    }
  }

  /// Last run in `runs` (sorted by start) that encloses the event; nullptr if none does. Tolerates
  /// rounding of both ends to microseconds.
  static const Run* holder(const std::vector<Run>& runs, const OrtInterval& event) {
    auto after = std::ranges::upper_bound(runs, event.start_us + 1, {}, &Run::start_us);
    if (after == runs.begin()) return nullptr;
    --after;
    return event.start_us + event.duration_us <= after->end_us + 1 ? &*after : nullptr;
  }

  /// Run of an event; concurrent runs are told apart by thread.
  const Run* run_of(const OrtInterval& event) const {
    if (const auto own = by_thread_.find(event.thread); own != by_thread_.end())
      if (const Run* run = holder(own->second, event)) return run;
    return by_thread_.size() == 1 || !overlap() ? holder(runs_, event) : nullptr;
  }

  bool overlap() const {
    if (!overlap_) {
      overlap_ = false;
      for (std::size_t i = 1; i < runs_.size(); ++i)
        if (runs_[i].start_us < runs_[i - 1].end_us) overlap_ = true;
    }
    return *overlap_;
  }

  void sum_up() {
    const std::vector<std::uint32_t> around = profile::enclosing(rows_);
    std::vector<std::int64_t> own_us;
    for (const OrtInterval& row : rows_) own_us.push_back(row.duration_us);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (layer_of_[i] != kNoLayer && around[i] != profile::kNotEnclosed &&
          layer_of_[around[i]] != kNoLayer)
        add_up(own_us[around[i]], -rows_[i].duration_us);
    const bool keep = keeps_runs(out_.layers.size(), runs_.size(), rows_.size());
    if (!keep) note_means(out_.layers.size(), runs_.size(), out_.notes);
    for (RecordedLayer& layer : out_.layers) {
      layer.runs_ns.assign(keep ? runs_.size() : 1, 0);
      layer.executions = 0;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (layer_of_[i] == kNoLayer) continue;
      const Run* run = run_of(rows_[i]);
      if (run == nullptr) {
        ++left_out_;
        continue;
      }
      ++kept_;
      RecordedLayer& layer = out_.layers[layer_of_[i]];
      add_up(layer.runs_ns[keep ? run->index : 0], std::max<std::int64_t>(0, own_us[i]) * 1000);
      ++layer.executions;
    }
    finish(keep);
  }

  void finish(bool keep) {
    if (left_out_ > 0)
      out_.notes.push_back(fmt::format("{} in no run that the file has the end of left out",
                                       counted(left_out_, "kernel event")));
    std::erase_if(out_.layers, [](const RecordedLayer& layer) { return layer.executions == 0; });
    const auto runs = std::ssize(runs_);
    for (RecordedLayer& layer : out_.layers) {
      layer.executions = std::max<std::int64_t>(1, (layer.executions + runs / 2) / runs);
      if (!keep) {
        layer.time_ns = static_cast<double>(layer.runs_ns[0]) / static_cast<double>(runs);
        layer.runs_ns.clear();
      }
      // Queries of kernels group layers by this name: the operator is the kernel.
      layer.kernels.push_back({layer.name, layer.type, kernel_ns(layer)});
    }
    out_.runs_unknown = whole_;
    if (!whole_)
      for (const Run& run : runs_) out_.runs_ns.push_back((run.end_us - run.start_us) * 1000);
    out_.notes.push_back(
        fmt::format("recorded over {} with the profiler on: times have its cost in them (about 10 "
                    "µs per kernel "
                    "of a run), the first run has set-up in it",
                    counted(runs, "run")));
  }

  static double kernel_ns(const RecordedLayer& layer) {
    return layer.runs_ns.empty() ? layer.time_ns : stats::median(stats::as_doubles(layer.runs_ns));
  }

  profile::OrtTrace trace_;
  Recorded out_;
  Oddities odd_;
  std::int64_t events_ = 0, kept_ = 0, left_out_ = 0;
  bool whole_ = false;
  mutable std::optional<bool> overlap_;
  std::string key_;
  std::unordered_map<std::string, std::uint32_t> layers_;
  std::unordered_map<std::uint64_t, std::int64_t> last_end_;
  std::vector<OrtInterval> rows_;
  std::vector<std::uint32_t> layer_of_;  // by row
  std::vector<Run> runs_;
  std::map<std::uint64_t, std::vector<Run>> by_thread_;
};

}  // namespace

Result<Recorded> read_ort_profile(const Source& source) { return Reader(source.content).run(); }

}  // namespace ridge::imports
