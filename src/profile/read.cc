#include "profile/read.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_at.h"
#include "profile/json.h"
#include "profile/options.h"

namespace ridge::profile {
namespace {

using nlohmann::json;
using Value = JsonAt;

Error malformed(std::string what) {
  return input_error("RIDGE-PROF-0001", std::move(what))
      .hint("use a document written by `ridge profile --format json`");
}

Error no_run(std::string what) {
  return input_error("RIDGE-PROF-0002", "this estimate contains no run")
      .evidence(std::move(what))
      .hint(
          "a run requires a model, and a machine with a clock: ridge accel MODEL --machine NAME "
          "--format json");
}

constexpr std::array kRoles = {Role::kExecutes, Role::kPart, Role::kAbsorbed};
constexpr std::array kEvidence = {Evidence::kRuntimeList, Evidence::kSameTensor, Evidence::kRenamed,
                                  Evidence::kRegion,      Evidence::kValue,      Evidence::kShapes,
                                  Evidence::kOrder,       Evidence::kFusion,     Evidence::kGuess};
constexpr std::array kWhys = {Why::kFolded, Why::kEliminated, Why::kMerged, Why::kNotExecuted,
                              Why::kInside};
constexpr std::array kVerdicts = {Verdict::kAgrees, Verdict::kExplained, Verdict::kDiffers,
                                  Verdict::kIncomparable};
constexpr std::array kLevels = {Level::kApplication, Level::kModel,  Level::kLayer,
                                Level::kLibrary,     Level::kKernel, Level::kThread,
                                Level::kCounter};

Estimate estimate_of(double median, const Value& interval) {
  Estimate e{.median = median};
  int bound = 0;
  interval.each([&](const Value& v) { (bound++ == 0 ? e.low : e.high) = v.figure(); });
  if (bound != 2) interval.fail("lower and upper bound");
  return e;
}

Estimate estimate_of(const Value& v) { return estimate_of(v["median"].figure(), v["ci95"]); }

Work read_work(const Value& v) {
  return {v["macs"].count(), v["flops"].count(), v["special"].count(), v["int_ops"].count()};
}

std::vector<std::int64_t> integers(const Value& v) {
  std::vector<std::int64_t> out;
  v.each([&](const Value& n) { out.push_back(n.integer()); });
  return out;
}

/// Inverts the division by 1e9 of json.cc exactly: returns the x with x / 1e9 equal to the written
/// number.
std::optional<double> giga(const Value& v) {
  const std::optional<double> written = v.real();
  if (!written) return written;
  const double near = *written * 1e9;
  for (const double x : {near, std::nextafter(near, 0), std::nextafter(near, INFINITY)})
    if (x / 1e9 == *written) return x;
  return near;
}

void read_subject(const Value& v, Subject& s) {
  s.kind = v["kind"].text();
  s.ridge_version = v["ridge"].text();
  const Value runtime = v["runtime"], model = v["model"];
  s.runtime = runtime["name"].text();
  s.runtime_version = runtime["version"].text();
  s.runtime_library = runtime["library"].text();
  std::map<std::string, std::string> options;
  runtime["options"].each_key([&](const std::string& key, const Value& option) {
    options[key] = key == "threads" ? std::to_string(option.integer()) : option.text();
  });
  set_options(s, std::move(options));
  s.path = model["path"].text();
  s.graph_hash = model["graph_hash"].text();
  s.ir_version = model["ir_version"].integer();
  s.producer = model["producer"].text();
  s.weights = model["weights"].text();
  model["opsets"].each_key([&](const std::string& domain, const Value& version) {
    s.opsets[domain == "ai.onnx" ? "" : domain] = version.integer();
  });
  v["bindings"].each_key([&](const std::string& size, const Value& binding) {
    s.bindings[size] = {binding["value"].integer(), binding["assumed"].truth()};
  });
}

void read_latency(const Value& v, Profile& p) {
  p.load_ns = v["setup"]["load_ns"].count().value_or(0);
  p.first_run_ns = v["setup"]["first_run_ns"].count().value_or(0);
  const Value latency = v["latency"];
  latency["processes"].each([&](const Value& process) {
    p.latency.processes.push_back({integers(process["samples_ns"]),
                                   process["warmup_dropped"].integer(),
                                   process["steadiness"].text()});
  });
  p.latency.ns = estimate_of(latency["median_ns"].figure(), latency["ci95_ns"]);
  p.latency.rejected = latency["rejected"].integer();
  p.items_per_s = v["throughput"]["items_per_s"].figure();
  p.batch = v["throughput"]["batch"].integer();
}

std::optional<Estimate> where_known(const Value& v, const char* key) {
  const auto found = v.find(key);
  return found ? std::optional(estimate_of(*found)) : std::nullopt;
}

std::optional<Estimate> read_unscaled(const Value& profiling) {
  const auto share = profiling.find("unscaled_residual_share");
  if (!share) return std::nullopt;
  return estimate_of(share->figure(), profiling["unscaled_residual_ci95"]);
}

Profiling read_profiling(const Value& document) {
  const Value whole = document["profiled_latency"], v = document["profiling"];
  const auto layer_times = v.find("layer_times");
  return {.profiled_latency_ns = estimate_of(whole["median_ns"].figure(), whole["ci95_ns"]),
          .excess_ns = estimate_of(v["excess_ns"]),
          .event_cost_ns = v["event_cost_ns"].figure(),
          .event_share_ns = v["event_share_ns"].figure(),
          .resolution_ns = v["resolution_ns"].figure(),
          .cheapest_kernel_ns = v["cheapest_kernel_ns"].figure(),
          .raw_sum_ns = v["raw_sum_ns"].figure(),
          .corrected_sum_ns = v["corrected_sum_ns"].figure(),
          .gaps_ns = v["gaps_ns"].figure(),
          .disturbance_ns = v["disturbance_ns"].figure(),
          .outside_layers_ns = v["outside_layers_ns"].figure(),
          .residual_share = v["residual_share"].figure(),
          .event_cost = where_known(v, "event_cost"),
          .fixed_cost = where_known(v, "fixed_cost"),
          .predicted_profiled_ns = where_known(v, "predicted_profiled_ns"),
          .total_ns = where_known(v, "total_ns"),
          .factor = where_known(v, "factor"),
          .unscaled_residual = read_unscaled(v),
          .predicted_ratio = where_known(v, "predicted_ratio"),
          .layer_times = layer_times ? layer_times->text() : ""};
}

/// Reads a required key that may be null.
std::optional<Estimate> or_null(const Value& v) {
  return v.null() ? std::nullopt : std::optional(estimate_of(v));
}

Levels read_levels(const Value& v) {
  Levels out{.deepest_ns = or_null(v["deepest_ns"]),
             .predicted_deepest_ns = or_null(v["predicted_deepest_ns"]),
             .imbalance = or_null(v["imbalance"])};
  v["costs"].each([&](const Value& c) {
    out.costs.push_back({c["level"].one_of(kLevels), c["runs"].integer(), c["events"].number(),
                         estimate_of(c["latency_ns"]), estimate_of(c["event_cost"]),
                         estimate_of(c["fixed_cost"])});
  });
  v["threads"].each([&](const Value& t) {
    out.threads.push_back({t["name"].text(), estimate_of(t["cpu_ns"]), or_null(t["wait_ns"]),
                           or_null(t["switches"])});
  });
  v["counters"].each([&](const Value& c) {
    out.counters.push_back({c["name"].text(), c["unit"].text(), c["origin"].text(),
                            or_null(c["value"]), c["running_share"].real(), c["reason"].text()});
  });
  return out;
}

Layer read_layer(const Value& v, std::size_t nodes) {
  Layer layer{.index = v["index"].row(), .name = v["name"].text(), .type = v["type"].text()};
  layer.implementation = v["implementation"].text();
  layer.precision = v["precision"].text();
  layer.layout = v["layout"].text();
  layer.order = v["order"].row();
  layer.inserted = v["inserted"].truth();
  layer.module = v["module"].text();
  layer.time_ns = estimate_of(v["time_ns"]);
  layer.corrected_ns = v["corrected_ns"].number();
  if (const auto ci = v.find("corrected_ci95"))
    layer.corrected = estimate_of(layer.corrected_ns, *ci);
  layer.below_resolution = v["below_resolution"].truth();
  layer.runs_ns = integers(v["runs_ns"]);
  layer.share = v["share"].number();
  layer.executions = v["executions"].integer();
  v["kernels"].each([&](const Value& k) {
    layer.kernels.push_back({k["name"].text(), k["type"].text(), estimate_of(k["time_ns"])});
  });
  v["members"].each([&](const Value& m) {
    layer.members.push_back({m["node"].below<std::uint32_t>(nodes), m["role"].one_of(kRoles),
                             m["evidence"].one_of(kEvidence)});
  });
  layer.work = read_work(v);
  layer.bytes = v["bytes"].count();
  layer.output_bytes = v["output_bytes"].count();
  layer.flop_per_s = giga(v["gflop_per_s"]);
  layer.bytes_per_s = giga(v["gb_per_s"]);
  layer.intensity = v["intensity"].real();
  layer.bound = {v["bound"].text(), v["bound_ns"].real(), v["roof_share"].real(),
                 v["bound_reason"].text()};
  if (const auto least = v.find("least"))
    layer.least = {(*least)["macs"].count(), (*least)["bytes"].count(),
                   (*least)["line_bytes"].count(), (*least)["trips"].integer(),
                   (*least)["streamed"].count()};
  return layer;
}

Node read_node(const Value& v) {
  Node n{.index = v["index"].row(),
         .parent = {},
         .repeat = v["repeat"].count().value_or(kUnknownRepeat)};
  if (const Value parent = v["parent"]; !parent.null())
    n.parent = parent.below<std::uint32_t>(n.index);
  n.name = v["name"].text();
  n.op_type = v["op_type"].text();
  n.domain = v["domain"].text();
  n.module = v["module"].text();
  n.status = v["status"].text();
  n.output_shape = v["output"].text();
  n.work = read_work(v);
  n.bytes_read = v["bytes_read"].count();
  n.bytes_written = v["bytes_written"].count();
  n.params = v["params"].integer();
  return n;
}

void read_nodes(const Value& v, Profile& p) {
  v["nodes"].each([&](const Value& n) {
    if (n["index"].integer() != static_cast<std::int64_t>(p.nodes.size()))
      n.fail("consecutive index");
    p.nodes.push_back(read_node(n));
  });
  v["nodes_without_layer"].each([&](const Value& n) {
    WithoutLayer& row = p.without_layer.emplace_back();
    row.node = n["node"].below<std::uint32_t>(p.nodes.size());
    row.why = n["why"].one_of(kWhys);
    if (const Value with = n["with"]; !with.null())
      row.with = with.below<std::uint32_t>(p.nodes.size());
  });
  p.unattributed_layers = v["unattributed"]["layers"].integer();
  p.unattributed_share = v["unattributed"]["time_share"].figure();
}

/// Reads the layers; all must have the same number of runs, since run i of one layer is run i of
/// every other.
void read_layers(const Value& v, Profile& p) {
  std::size_t runs = 0;
  v["layers"].each([&](const Value& row) {
    Layer layer = read_layer(row, p.nodes.size());
    if (runs == 0) runs = layer.runs_ns.size();
    if (!layer.runs_ns.empty() && layer.runs_ns.size() != runs)
      row.fail(fmt::format("number of runs ({}, as in the preceding layers)", runs));
    p.layers.push_back(std::move(layer));
  });
}

void read_tables(const Value& v, Profile& p) {
  v["ceilings"].each([&](const Value& r) {
    const Value level = r["level"];
    const Estimate value = estimate_of(r["value"].number(), r["ci95"]);
    p.roofs.push_back({r["kind"].text(), r["dtype"].text(), level.null() ? "" : level.text(),
                       r["unit"].text(), r["instruction"].text(),
                       r["threads"].below<std::int32_t>(std::uint64_t{1} << 31), value.median,
                       value.low, value.high, r["theory"].real()});
  });
  v["modules"].each([&](const Value& m) {
    p.modules.push_back({m["path"].text(), m["depth"].row(), m["time_ns"].number(),
                         m["share"].number(), read_work(m), m["bytes"].count(), m["layers"].row()});
  });
  v["notes"].each([&](const Value& note) { p.notes.push_back(note.text()); });
}

VerifiedCut read_cut(const Value& v, const Profile& p) {
  return {.node = v["node"].below<std::uint32_t>(p.nodes.size()),
          .tensor = v["tensor"].text(),
          .layers = v["layers"].below<std::uint32_t>(p.layers.size() + 1),
          .layers_ns = v["layers_ns"].number(),
          .outside_ns = v["outside_ns"].figure(),
          .part_ns = estimate_of(v["part_ns"].figure(), v["ci95_ns"]),
          .inserted_ns = v["inserted_ns"].number(),
          .difference = estimate_of(v["difference"].figure(), v["difference_ci95"]),
          .explained_ns = or_null(v["explained_ns"]),
          .verdict = v["verdict"].one_of(kVerdicts)};
}

void read_verification(const Value& v, Profile& p) {
  const auto cuts = v.find("verification");
  if (!cuts) return;
  cuts->each([&](const Value& cut) { p.verification.cuts.push_back(read_cut(cut, p)); });
  p.verification.reason = v["verification_reason"].text();
}

void read_timeline(const Value& v, Timeline& timeline) {
  std::vector<TextId> texts;
  v["texts"].each([&](const Value& text) { texts.push_back(timeline.intern(text.text())); });
  const auto text = [&](const Value& id) {
    const auto n = id.below<TextId>(texts.size());
    return texts.empty() ? TextId{0} : texts[n];
  };
  v["spans"].each([&](const Value& s) {
    Span span{.level = s["level"].one_of(kLevels),
              .name = text(s["name"]),
              .start_ns = s["start_ns"].integer(),
              .end_ns = s["end_ns"].integer()};
    if (const auto parent = s.find("parent")) span.parent = parent->row();
    if (const auto id = s.find("thread")) span.thread = text(*id);
    if (const auto id = s.find("device")) span.device = text(*id);
    if (const auto id = s.find("queue")) span.queue = text(*id);
    if (const auto id = s.find("correlation"))
      span.correlation = static_cast<std::uint64_t>(id->integer());
    timeline.add(span);
    const auto attributes = s.find("attributes");
    if (!attributes) return;
    attributes->each_key(
        [&](const std::string& key, const Value& value) { timeline.attribute(key, value.text()); });
  });
  for (const Span& span : timeline.spans())
    if (span.parent != kNoSpan && span.parent >= timeline.spans().size()) v.fail("parent span");
}

Result<Profile> read_profile(const json& document) {
  std::optional<std::string> failure;
  const Value v(document, failure);
  Profile p;
  const Value host = v["host"];
  p.host_json = host.dump();
  read_subject(v, p.subject);
  read_latency(v, p);
  p.profiling = read_profiling(v);
  read_nodes(v, p);
  read_layers(v, p);
  read_tables(v, p);
  if (const auto levels = v.find("levels")) p.levels = read_levels(*levels);
  if (const auto reference = v.find("reference"))
    reference->each([&](const Value& t) {
      p.reference.push_back({t["when"].row(), t["kernel"].text(), t["ns"].integer()});
    });
  read_verification(v, p);
  if (const auto timeline = v.find("timeline")) read_timeline(*timeline, p.timeline);
  if (failure) return malformed("the profile has no valid " + *failure);
  return p;
}

/// Reads the run in each point of a ridge.accelerator/1 document.
Result<std::vector<Profile>> read_estimates(const json& document) {
  const auto points = document.find("points");
  if (points == document.end() || !points->is_array() || points->empty())
    return malformed("the document contains no point");
  std::vector<Profile> out;
  for (const json& point : *points) {
    const std::string place = fmt::format("point {}", out.size());
    if (!point.is_object()) return malformed(place + " is not an object");
    const auto run = point.find("run");
    if (run == point.end() || !run->is_object()) return no_run(place + " has no key 'run'");
    out.push_back(TRY_IN(place, read_profile(*run)));
  }
  return out;
}

}  // namespace

Result<std::vector<Profile>> read_profiles(std::string_view text) {
  std::string why;
  const json document = json_object(text, why);
  if (!why.empty()) return malformed(std::move(why));
  const auto schema = document.find("schema");
  const std::string named =
      schema != document.end() && schema->is_string() ? schema->get<std::string>() : "";
  std::vector<Profile> out;
  if (named == "ridge.profile/1") {
    out.push_back(TRY(read_profile(document)));
    return out;
  }
  if (named == "ridge.accelerator/1") return read_estimates(document);
  const auto profiles = document.find("profiles");
  if (named != "ridge.profiles/1" || profiles == document.end() || !profiles->is_array())
    return malformed(fmt::format("schema '{}' is not ridge.profile/1 or ridge.profiles/1", named));
  for (const json& profile : *profiles)
    out.push_back(TRY_IN(fmt::format("profile {}", out.size()), read_profile(profile)));
  if (out.empty()) return malformed("the document contains no profile");
  return out;
}

}  // namespace ridge::profile
