// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's profile. Layers are its kernels by name, runs its "model_run" events; a kernel
// belongs to the run that encloses it (ort_runs.h). Times of nodes with bodies (If, Loop, Scan)
// include their bodies, whose kernels have events of their own: these are subtracted. Since 1.32
// each execution of a body is also a session event, between the two. Asynchronous providers only
// launch work; the time of a layer is then its kernels' time on the device (ort_device.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/numeral.h"
#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/names.h"
#include "import/ort_device.h"
#include "import/ort_rows.h"
#include "import/ort_runs.h"
#include "import/run_choice.h"
#include "profile/ort_shapes.h"
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
constexpr std::uint32_t kOutsideLayers = kNoLaunch;
// µs; larger times could overflow as nanoseconds
constexpr std::int64_t kLongest = INT64_MAX / 4000;

std::vector<Dims> sizes_in(std::string_view shapes) {
  std::vector<Dims> out;
  for (profile::OrtTensor& tensor : profile::ort_tensors(shapes))
    out.push_back(std::move(tensor.dims));
  return out;
}

/// Kernel event of a node for which the release records no name.
struct Nameless {
  std::size_t row = 0;
  OrtEvent event;
};

struct DeviceEvent {
  std::string key, name;  // key of its layer; name of the kernel
  profile::SpanId span = 0;
};

class OrtProfileReader {
 public:
  explicit OrtProfileReader(const Source& source) : source_(source), trace_(source.content) {
    out_.tool = "ONNX Runtime";
    out_.naming = Naming::kOnnxRuntime;
  }

  Result<Recorded> run() {
    const OrtRunChoice choice = TRY(OrtRunChoice::make(source_.content, source_.runs, out_.notes));
    OrtEvent event;
    while (trace_.next(event))
      if (!choice.leaves_out(event)) take(event);
    note(trace_.damage(), out_.notes);
    note(odd_, out_.notes);
    if (events_ >= kEventLimit)
      out_.notes.push_back(fmt::format(
          "it holds {} events: ONNX Runtime stops recording at {}, so runs may be missing", events_,
          kEventLimit));
    order_runs();
    tell_nameless_apart();
    if (out_.layers.empty())
      return input_error("RIDGE-IMP-0010", "the profile has no kernel events")
          .evidence(counted(events_, "event") + " of the session")
          .hint("record at least one run, and end profiling before the process ends");
    sum_up();
    if (kept_ == 0)
      return input_error("RIDGE-IMP-0011", "no kernel lies in a completed run")
          .evidence(fmt::format("{}, {}", counted(left_out_, "kernel event"),
                                counted(std::ssize(runs_.all()), "run")))
          .hint("the file ends within its first run; record a smaller model, or free disk space");
    TRY(check_runs());
    finish();
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
    if (event.device) return take_device(event);
    if (event.fence) return;  // waiting for another queue is no work of the node
    // Events are written in order of their ends.
    const std::int64_t end_us = event.start_us + event.duration_us;
    if (end_us + 1 < last_end_[event.thread]) ++odd_.backwards;
    last_end_[event.thread] = end_us;
    rows_.push_back(
        {.interval = {event.start_us, event.duration_us, event.thread, event.has_body()},
         .session = event.session});
    if (event.node) take_node(event);
    if (event.session) take_session(event);
  }

  void take_node(const OrtEvent& event) {
    const std::string_view name = profile::kernel_name(event.name);
    if (name.empty()) {
      nameless_.push_back({.row = rows_.size() - 1, .event = event});
      return;
    }
    rows_.back().layer = layer_of(event, name);
    add_span(event, Level::kLayer, name);
    out_.timeline.attribute("type", event.op_type);
  }

  void take_session(const OrtEvent& event) {
    if (event.name == "model_run") {
      runs_.add({event.start_us, event.start_us + event.duration_us, event.thread, 0});
      add_span(event, Level::kModel, event.name);
    } else if (event.name == "session_initialization" || event.name.starts_with("model_loading")) {
      std::int64_t load = out_.load_ns.value_or(0);
      add_up(load, event.duration_us * 1000);
      out_.load_ns = load;
      add_span(event, Level::kApplication, event.name);
    }
  }

  void take_device(const OrtEvent& event) {
    profile::Timeline& t = out_.timeline;
    const profile::SpanId span =
        t.add({.level = Level::kKernel,
               .name = t.intern(event.name),
               .start_ns = event.start_us * 1000,
               .end_ns = (event.start_us + event.duration_us) * 1000,
               .device = t.intern("device"),
               .queue = t.intern(event.queue.empty() ? "?" : event.queue)});
    const bool behind_node = !rows_.empty() && rows_.back().layer != kOutsideLayers;
    kernels_.push_back(
        {.layer = kNoLaunch,
         .start_us = event.start_us,
         .duration_us = event.duration_us,
         .after = behind_node ? static_cast<std::uint32_t>(rows_.size() - 1) : kNoLaunch});
    device_.push_back({event.parent.empty()
                           ? std::string()
                           : key_of(event.op_type, profile::kernel_name(event.parent)),
                       event.name, span});
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

  static std::string key_of(std::string_view op_type, std::string_view name) {
    return std::string(op_type).append(1, '\0').append(name);
  }

  std::uint32_t layer_of(const OrtEvent& event, std::string_view name) {
    const auto [at, fresh] = layers_.try_emplace(key_of(event.op_type, name),
                                                 static_cast<std::uint32_t>(out_.layers.size()));
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
      std::vector<Dims> later = sizes_in(event.output_shapes);
      if (later != layer.outputs) layer.outputs_later = std::move(later);
    }
    return at->second;
  }

  void order_runs() {
    if (runs_.empty()) {
      out_.notes.push_back("it has no model_run events: all kernels count as one run");
      runs_.add({-kLongest, kLongest, 0, 0});
      whole_ = true;
    }
    runs_.order();
    host_us_.assign(runs_.size(), 0);
    events_in_.assign(runs_.size(), 0);
    threads_in_.resize(runs_.size());
  }

  bool in_order() const { return odd_.backwards == 0; }

  /// Releases up to 0.4 record no name for a node without one.
  void tell_nameless_apart() {
    std::vector<OrtNameless> kernels;
    for (const Nameless& n : nameless_) kernels.push_back({n.row, n.event.op_type});
    const std::vector<NamelessName> names = nameless_names(kernels, rows_, runs_, in_order());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::uint32_t layer = layer_of(nameless_[i].event, names[i].text);
      rows_[nameless_[i].row].layer = layer;
      if (!names[i].in_body) out_.layers[layer].nameless = names[i].ordinal;
      add_span(nameless_[i].event, Level::kLayer, names[i].text);
      out_.timeline.attribute("type", nameless_[i].event.op_type);
    }
  }

  void sum_up() {
    find_launches();
    const std::vector<std::uint32_t> owner =
        rows_around(rows_, {.sessions = false, .in_order = in_order()});
    std::vector<std::int64_t> own_us;
    for (const OrtRow& row : rows_) own_us.push_back(row.interval.duration_us);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].layer != kOutsideLayers && owner[i] != profile::kNotEnclosed)
        add_up(own_us[owner[i]], -rows_[i].interval.duration_us);
    keep_ = keeps_runs(out_.layers.size(), runs_.size(), rows_.size() + kernels_.size());
    if (!keep_) note_means(out_.layers.size(), runs_.size(), out_.notes);
    for (RecordedLayer& layer : out_.layers) {
      layer.runs_ns.assign(keep_ ? runs_.size() : 1, 0);
      layer.executions = 0;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].layer != kOutsideLayers)
        add_host(rows_[i], std::max<std::int64_t>(0, own_us[i]));
    for (std::size_t i = 0; i < kernels_.size(); ++i) add_device(i);
  }

  void add_host(const OrtRow& row, std::int64_t own_us) {
    const OrtRun* run = runs_.of(row.interval);
    if (run == nullptr) {
      ++left_out_;
      return;
    }
    ++kept_;
    RecordedLayer& layer = out_.layers[row.layer];
    ++layer.executions;
    if (on_device_[row.layer]) return;
    add_up(layer.runs_ns[keep_ ? run->index : 0], own_us * 1000);
    add_up(host_us_[run->index], own_us);
    ++events_in_[run->index];
    threads_in_[run->index].insert(row.interval.thread);
  }

  /// Finds the launch of each kernel of a device, and the layers that have such kernels.
  void find_launches() {
    std::vector<OrtLaunch> launches;
    std::vector<std::uint32_t> row_of, launch_of(rows_.size(), kNoLaunch);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].layer == kOutsideLayers) continue;
      launch_of[i] = static_cast<std::uint32_t>(launches.size());
      launches.push_back({rows_[i].layer, rows_[i].interval.start_us});
      row_of.push_back(i);
    }
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (kernels_[i].after != kNoLaunch) kernels_[i].after = launch_of[kernels_[i].after];
      if (const auto at = layers_.find(device_[i].key); at != layers_.end())
        kernels_[i].layer = at->second;
    }
    launched_by_ = launches_of(kernels_, launches);
    on_device_.assign(out_.layers.size(), false);
    for (std::uint32_t& by : launched_by_) {
      if (by == kNoLaunch) continue;
      by = row_of[by];
      on_device_[rows_[by].layer] = true;
    }
    device_ns_.resize(out_.layers.size());
  }

  void add_device(std::size_t i) {
    const std::uint32_t by = launched_by_[i];
    if (by == kNoLaunch) {
      ++unlaunched_;
      return;
    }
    const OrtRun* run = runs_.of(rows_[by].interval);
    if (run == nullptr) {
      launched_by_[i] = kNoLaunch;
      return;
    }
    const std::uint32_t layer = rows_[by].layer;
    add_up(out_.layers[layer].runs_ns[keep_ ? run->index : 0], kernels_[i].duration_us * 1000);
    add_up(device_ns_[layer][device_[i].name], kernels_[i].duration_us * 1000);
  }

  /// Refuses a file whose kernels take longer than the run that they are in. Times are whole
  /// microseconds: each event may be one too long.
  Result<void> check_runs() const {
    if (whole_) return {};
    for (const OrtRun& run : runs_.all()) {
      const std::int64_t threads = std::max<std::int64_t>(1, std::ssize(threads_in_[run.index]));
      const std::int64_t sum_us = host_us_[run.index];
      if ((sum_us - events_in_[run.index] - 2) / threads <= run.duration_us()) continue;
      return input_error("RIDGE-IMP-0018", "the kernels of a run take longer than the run")
          .evidence(fmt::format("run {} of {}: kernels of {} take {}, the run {}", run.index + 1,
                                runs_.size(), counted(threads, "thread"),
                                duration(static_cast<double>(sum_us) * 1e3),
                                duration(static_cast<double>(run.duration_us()) * 1e3)))
          .hint("events of one thread overlap: pass the file as ONNX Runtime wrote it");
    }
    return {};
  }

  void finish() {
    if (left_out_ > 0)
      out_.notes.push_back(fmt::format("{} in no run that the file has the end of left out",
                                       counted(left_out_, "kernel event")));
    const auto runs = static_cast<std::int64_t>(runs_.size());
    std::vector<std::uint32_t> row_of(out_.layers.size(), kOutsideLayers);
    std::vector<RecordedLayer> executed;
    for (std::size_t l = 0; l < out_.layers.size(); ++l) {
      RecordedLayer& layer = out_.layers[l];
      if (layer.executions == 0) continue;
      row_of[l] = static_cast<std::uint32_t>(executed.size());
      layer.executions = std::max<std::int64_t>(1, (layer.executions + runs / 2) / runs);
      layer.launch_only = !on_device_[l] && launches_only(layer.implementation);
      if (!keep_) {
        layer.time_ns = static_cast<double>(layer.runs_ns[0]) / static_cast<double>(runs);
        layer.runs_ns.clear();
      }
      add_kernels(l, layer);
      executed.push_back(std::move(layer));
    }
    out_.layers = std::move(executed);
    out_.runs_unknown = whole_;
    if (!whole_)
      for (const OrtRun& run : runs_.all()) out_.runs_ns.push_back(run.duration_us() * 1000);
    mark_spans(row_of);
    note_device();
    note_concurrency();
    out_.notes.push_back(
        fmt::format("recorded over {} with the profiler on: times have its cost in them (about 10 "
                    "µs per kernel "
                    "of a run), the first run has set-up in it",
                    counted(runs, "run")));
  }

  void add_kernels(std::size_t l, RecordedLayer& layer) const {
    // Queries of kernels group layers by this name: the operator is the kernel.
    if (!on_device_[l]) {
      layer.kernels.push_back({layer.name, layer.type, kernel_ns(layer)});
      return;
    }
    for (const auto& [name, ns] : device_ns_[l])
      layer.kernels.push_back(
          {valid_utf8(name), "kernel",
           static_cast<double>(ns) / static_cast<double>(std::max<std::size_t>(1, runs_.size()))});
  }

  /// Tells queries the layer of each kernel on a device.
  void mark_spans(const std::vector<std::uint32_t>& row_of) {
    profile::Timeline& t = out_.timeline;
    const profile::TextId key = t.intern("layer"), none = t.intern("none");
    for (std::size_t i = 0; i < device_.size(); ++i) {
      const std::uint32_t by = launched_by_[i];
      const std::uint32_t row = by == kNoLaunch ? kOutsideLayers : row_of[rows_[by].layer];
      t.attribute(device_[i].span, key,
                  row == kOutsideLayers ? none : t.intern(std::to_string(row)));
    }
  }

  void note_device() {
    std::int64_t measured = 0, launched = 0;
    std::set<std::string> providers;
    for (const bool device : on_device_) measured += device ? 1 : 0;
    for (const RecordedLayer& layer : out_.layers) {
      if (!layer.launch_only) continue;
      ++launched;
      providers.insert(printable(layer.implementation));
    }
    if (measured > 0)
      out_.notes.push_back(fmt::format("times of {} are those of {} kernels on the device",
                                       counted(measured, "layer"),
                                       measured == 1 ? "its" : "their"));
    if (unlaunched_ > 0)
      out_.notes.push_back(fmt::format("{} on the device that no node launched: in no layer",
                                       counted(unlaunched_, "kernel")));
    if (launched > 0)
      out_.notes.push_back(fmt::format(
          "times of {} on {} are those of the launch on the host, without the work of the device: "
          "{} kernels of theirs, so their work and rates are left out",
          counted(launched, "layer"), fmt::join(providers, ", "),
          measured > 0 ? "the recording has no" : "it records no"));
  }

  void note_concurrency() {
    out_.concurrent = "";
    std::size_t threads = 0;
    for (const auto& own : threads_in_) threads = std::max(threads, own.size());
    if (threads > 1)
      out_.concurrent = fmt::format("layers ran on {} threads at the same time", threads);
    if (std::ranges::any_of(on_device_, [](bool device) { return device; }))
      out_.concurrent = "kernels of the device ran at the same time, or after the run";
  }

  static double kernel_ns(const RecordedLayer& layer) {
    return layer.runs_ns.empty() ? layer.time_ns : stats::median(stats::as_doubles(layer.runs_ns));
  }

  const Source& source_;
  profile::OrtTrace trace_;
  Recorded out_;
  Oddities odd_;
  std::int64_t events_ = 0, kept_ = 0, left_out_ = 0, unlaunched_ = 0;
  bool whole_ = false, keep_ = true;
  std::unordered_map<std::string, std::uint32_t> layers_;
  std::unordered_map<std::uint64_t, std::int64_t> last_end_;
  std::vector<OrtRow> rows_;
  std::vector<Nameless> nameless_;
  OrtRuns runs_;
  // By run, of kernels on the host.
  std::vector<std::int64_t> host_us_, events_in_;
  std::vector<std::set<std::uint64_t>> threads_in_;
  // Kernels on devices: what the file says, and the row that launched each.
  std::vector<OrtDeviceKernel> kernels_;
  std::vector<DeviceEvent> device_;
  std::vector<std::uint32_t> launched_by_;
  std::vector<bool> on_device_;                                 // by layer
  std::vector<std::map<std::string, std::int64_t>> device_ns_;  // by layer and name of the kernel
};

}  // namespace

Result<Recorded> read_ort_profile(const Source& source) { return OrtProfileReader(source).run(); }

}  // namespace ridge::imports
