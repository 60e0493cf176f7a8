#include "generation/document.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "scenario/describe.h"
#include "scenario/rate_json.h"
#include "stats/interval_json.h"

namespace ridge::generation {
namespace {

using scenario::Percentile;

void write_percentiles(JsonWriter& json, std::string_view key,
                       const std::vector<Percentile>& percentiles, std::int64_t times) {
  json.line().key(key).begin_array();
  for (const Percentile& p : percentiles) {
    json.begin_object().key("percentile").value(p.share * 100).key("ns");
    json.value(is_known(p, times) ? std::optional(p.value_ns) : std::nullopt).key("ci95_ns");
    stats::write_interval(json, p.interval);
    json.key("needed").value(p.needed).end_object();
  }
  json.end_array();
}

void write_bin(JsonWriter& json, const scenario::CacheBin& bin, const StepBound* bound) {
  json.line().begin_object().key("low").value(bin.low).key("high").value(bin.high);
  json.key("mean_length").value(bin.mean_length).key("steps").value(bin.steps);
  json.key("step_ns").value(bin.step.value_ns).key("ci95_ns");
  stats::write_interval(json, bin.step.interval);
  json.key("run_ns").value(bin.run_ns).key("bound");
  if (bound == nullptr) {
    json.null().end_object();
    return;
  }
  json.begin_object().key("weight_bytes").value(bound->weight_bytes);
  json.key("cache_bytes").value(bound->cache_bytes).key("ns").value(bound->time_ns);
  json.key("kind").value(bound->kind).key("level_bytes").value(bound->level_bytes);
  const double rate = bin.step.value_ns > 0 ? static_cast<double>(bound->bytes()) * 1e9 /
                                                  static_cast<double>(bin.step.value_ns)
                                            : 0;
  json.key("bytes_per_s").value(rate > 0 ? std::optional(rate) : std::nullopt);
  json.end_object().end_object();
}

void write_generated_figures(JsonWriter& json, const GeneratedPoint& p) {
  const scenario::GenerationFigures& f = p.figures;
  json.line().key("figures").begin_object().key("requests").value(f.requests);
  json.key("failed").value(f.failed).key("tokens_generated").value(f.tokens);
  json.key("duration_s").value(f.duration_s);
  json.line();
  scenario::write_rate(json, "tokens", f.tokens_per_s);
  json.line();
  scenario::write_rate(json, "client_tokens", f.client_tokens_per_s);
  json.line().key("prompt_per_s").value(f.prompt_per_s);
  json.key("decode_per_s").value(f.decode_per_s);
  write_percentiles(json, "first_token", f.first_token, f.first_times);
  write_percentiles(json, "per_token", f.per_token, f.token_times);
  write_percentiles(json, "latency", f.latency, f.first_times);
  json.line().key("steps").begin_array();
  for (std::size_t i = 0; i < f.bins.size(); ++i)
    write_bin(json, f.bins[i], i < p.bounds.size() ? &p.bounds[i] : nullptr);
  json.end_array().end_object();
}

/// null for 0: there is none.
void write_count(JsonWriter& json, std::int64_t count) {
  json.value(count > 0 ? std::optional(count) : std::nullopt);
}

void write_generated_point(JsonWriter& json, const GeneratedPoint& p) {
  json.line().begin_object().key("runtime").begin_object().key("name").value(p.runtime.name);
  json.key("version").value(p.runtime.version).key("library").value(p.runtime.library);
  json.end_object().key("threads").value(p.threads);
  json.key("prompts_by").value(name(p.plan.prompt_by));
  json.line().key("cache").begin_object().key("by").value(name(p.plan.cache_by));
  json.key("room_tokens");
  write_count(json, p.plan.capacity);
  json.key("window_tokens");
  write_count(json, p.window);
  json.key("buffer_bytes").value(p.buffer_bytes);
  json.key("handed_bytes").value(p.handed_bytes);
  json.key("copied_bytes").value(p.copied_bytes);
  json.key("compared_tensors").value(p.compared).end_object();
  write_generated_figures(json, p);
  json.line().key("validity").begin_object().key("state").value(name(p.validity.state));
  json.key("reasons").begin_array();
  for (const std::string& reason : p.validity.reasons) json.value(reason);
  json.end_array().end_object().end_object();
}

void write_workload(JsonWriter& json, const TokenGenerationRequest& r) {
  const scenario::Workload& w = r.workload;
  const bool trace = !w.trace.empty();
  json.line().key("workload").begin_object();
  json.key("prompt").value(trace ? std::string("trace") : text_of(w.prompt));
  json.key("tokens").value(trace ? std::string("trace") : text_of(w.tokens));
  json.key("arrivals").value(w.arrivals ? std::optional(name(*w.arrivals)) : std::nullopt);
  json.key("requests_per_s")
      .value(w.arrivals ? std::optional(mean_rate(*w.arrivals)) : std::nullopt);
  json.key("requests").value(w.count).key("clients").value(r.clients);
  json.key("batch").value(r.batch).key("seed").value(static_cast<std::int64_t>(w.seed));
  json.end_object();
}

void write_ports(JsonWriter& json, const DecoderPorts& ports) {
  const auto text = [&](std::string_view key, const std::string& value) {
    json.key(key).value(value.empty() ? std::nullopt : std::optional(value));
  };
  json.line().key("ports").begin_object();
  text("ids", ports.ids);
  text("positions", ports.positions);
  text("mask", ports.mask);
  text("logits", ports.logits);
  json.key("inputs").begin_array();
  for (const InputPort& input : ports.inputs)
    json.line()
        .begin_object()
        .key("name")
        .value(input.name)
        .key("value")
        .value(text_of(input.means))
        .end_object();
  json.end_array().key("state").begin_array();
  for (const runtime::StatePair& pair : ports.state)
    json.line()
        .begin_object()
        .key("output")
        .value(pair.output)
        .key("input")
        .value(pair.input)
        .end_object();
  json.end_array().end_object();
}

std::string_view step_kind_name(scenario::StepKind kind) {
  switch (kind) {
    case scenario::StepKind::kPrompt:
      return "prompt";
    case scenario::StepKind::kFirst:
      return "first";
    case scenario::StepKind::kNext:
      break;
  }
  return "next";
}

}  // namespace

void write_generation(const TokenGeneration& g, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.generation/1").key("ridge").value(g.ridge);
  json.key("host").value(g.host);
  json.key("model").begin_object().key("path").value(g.model);
  json.key("graph_hash").value(g.graph_hash).end_object();
  json.key("prefill").value(g.prefill.empty() ? std::nullopt : std::optional(g.prefill));
  write_ports(json, g.ports);
  write_workload(json, g.request);
  json.line().key("points").begin_array();
  for (const GeneratedPoint& p : g.points) write_generated_point(json, p);
  json.end_array().end_object();
  sink.write("\n");
}

void write_steps(const TokenGeneration& g, Sink& sink) {
  sink.write("runtime,request,step,kind,cache,id,scheduled_ns,start_ns,run_ns,done_ns\n");
  for (const GeneratedPoint& p : g.points)
    for (const scenario::RequestRecord& request : p.generated.requests)
      for (std::size_t i = 0; i < request.steps.size(); ++i) {
        const scenario::StepRecord& s = request.steps[i];
        const std::int64_t begun = p.generated.begun_ns;
        sink.write(fmt::format("{},{},{},{},{},{},{},{},{},{}\n", p.runtime_name, request.request,
                               i, step_kind_name(s.kind), std::uint32_t{s.cache}, s.id,
                               request.scheduled_ns - begun, s.start_ns - begun, s.run_ns,
                               s.done_ns - begun));
      }
}

}  // namespace ridge::generation
