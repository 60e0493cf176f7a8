// SPDX-License-Identifier: Apache-2.0
#include "export/formats/google_benchmark.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/version.h"
#include "export/profile/lanes.h"
#include "export/profile/made_timeline.h"
#include "export/profile/table.h"
#include "profile/summary.h"
#include "stats/samples.h"

namespace ridge::exports {
namespace {

using profile::Layer;
using profile::Profile;

using Times = std::vector<std::int64_t>;

class BenchmarkWriter {
 public:
  BenchmarkWriter(const Profile& p, JsonWriter& json)
      : profile_(p), json_(json), threads_(p.subject.threads) {}

  void write() {
    json_.begin_object();
    context();
    json_.line().key("benchmarks").begin_array();
    const std::string model = profile_.subject.path.empty() ? "model" : profile_.subject.path;
    Times samples;
    for (const profile::Process& process : profile_.latency.processes)
      samples.insert(samples.end(), process.samples_ns.begin(), process.samples_ns.end());
    family(model, samples, profile_.latency.ns.value);
    for (const Layer* layer : in_order(profile_))
      family(fmt::format("{}/{} {} {}", model, layer->index, layer->type,
                         member_names(profile_, *layer)),
             layer->runs_ns, layer->corrected_ns);
    json_.line().end_array().end_object();
  }

 private:
  void context() {
    const profile::Subject& s = profile_.subject;
    json_.line().key("context").begin_object().key("executable").value(s.path);
    json_.key("library_version").value("ridge " + std::string(version()));
    json_.key("json_schema_version").value(1);
    json_.key("runtime").value(s.runtime + " " + s.runtime_version);
    json_.key("graph_hash").value(s.graph_hash);
    json_.key("layers").value(profile::is_corrected(profile_)
                                  ? "time of each profiled run, the profiler's part taken out"
                                  : "time of each profiled run, nothing taken out");
    json_.key("cpu_time").value("repeats real_time: only the time on the wall is measured");
    for (const auto& [key, text] : s.options) json_.name("option " + key).value(text);
    json_.end_object();
  }

  /// Omitted where no time is known, because readers do not accept null.
  void family(const std::string& name, const Times& times, double known_median) {
    if (times.empty() && !std::isfinite(known_median)) return;
    for (std::size_t i = 0; i < times.size(); ++i) {
      begin(name, name, "iteration", times.size());
      json_.key("repetition_index").value(static_cast<std::int64_t>(i));
      json_.key("iterations").value(1);
      end(static_cast<double>(times[i]));
    }
    const std::vector<double> values = stats::as_doubles(times);
    const std::size_t n = values.size();
    if (n > 0) aggregate(name, "mean", n, stats::mean(values));
    aggregate(name, "median", n, n > 0 ? stats::median(values) : known_median);
    if (n > 0) aggregate(name, "stddev", n, stats::deviation(values));
    ++family_;
  }

  void aggregate(const std::string& name, const std::string& kind, std::size_t n, double ns) {
    begin(name + "_" + kind, name, "aggregate", n);
    json_.key("aggregate_name").value(kind).key("aggregate_unit").value("time");
    json_.key("iterations").value(static_cast<std::int64_t>(n));
    end(ns);
  }

  void begin(const std::string& name, const std::string& run, std::string_view type,
             std::size_t repetitions) {
    json_.line().begin_object().key("name").value(name).key("family_index").value(family_);
    json_.key("per_family_instance_index").value(0).key("run_name").value(run);
    json_.key("run_type").value(type);
    json_.key("repetitions").value(static_cast<std::int64_t>(repetitions));
    if (threads_) json_.key("threads").value(*threads_);
  }

  void end(double ns) {
    json_.key("real_time").value(ns).key("cpu_time").value(ns).key("time_unit").value("ns");
    json_.end_object();
  }

  const Profile& profile_;
  JsonWriter& json_;
  std::optional<std::int32_t> threads_;
  std::int64_t family_ = 0;
};

}  // namespace

void write_google_benchmark(const Profile& profile, Sink& sink) {
  {
    JsonWriter json(sink);
    BenchmarkWriter(profile, json).write();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
