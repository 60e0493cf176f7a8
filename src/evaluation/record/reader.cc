#include "evaluation/record/reader.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_at.h"

namespace ridge::evaluation {
namespace {

constexpr std::array kStates = {scenario::State::kValid, scenario::State::kInvalid,
                                scenario::State::kUndecided};
std::optional<stats::Interval> interval_of(const JsonAt& v) {
  if (v.null()) return std::nullopt;
  stats::Interval out{0, 0};
  int bound = 0;
  v.each([&](const JsonAt& x) { (bound++ == 0 ? out.lo : out.hi) = x.number(); });
  if (bound != 2) v.fail("lower and upper bound");
  return out;
}

scenario::Rate rate_of(const JsonAt& v) {
  return {.per_s = v["per_s"].number(), .interval = interval_of(v["ci95_per_s"])};
}

scenario::Percentile percentile_of(const JsonAt& v) {
  return {.share = scenario::share_of_percentile(v["percentile"].number()),
          .value_ns = v["value_ns"].null() ? 0 : v["value_ns"].integer(),
          .interval = interval_of(v["ci95_ns"]),
          .effective = v["effective_queries"].number(),
          .needed = v["needed_queries"].integer()};
}

void read_latency(const JsonAt& v, scenario::Figures& out) {
  out.mean_ns = v["mean_ns"].figure();
  out.trimmed_mean_ns = v["trimmed_mean_ns"].figure();
  v["percentiles"].each([&](const JsonAt& p) { out.latency.push_back(percentile_of(p)); });
}

ModelFigures model_of(const JsonAt& v) {
  ModelFigures out{.model = v["path"].text(),
                   .share = v["share"].number(),
                   .samples = v["samples"].row(),
                   .figures = {}};
  out.figures.queries = v["queries"].integer();
  out.figures.failed = v["failed"].integer();
  out.figures.completed = rate_of(v["completed"]);
  read_latency(v["latency"], out.figures);
  return out;
}

void read_figures(const JsonAt& v, EvaluatedPoint& out) {
  scenario::Figures& f = out.figures;
  f.queries = v["queries"].integer();
  f.failed = v["failed"].integer();
  out.load.abandoned = static_cast<std::uint64_t>(v["abandoned"].integer());
  f.duration_s = v["duration_s"].number();
  f.scheduled_per_s = v["scheduled_per_s"].number();
  f.completed = rate_of(v["completed"]);
  f.samples = rate_of(v["samples"]);
  read_latency(v["latency"], f);
  if (const JsonAt within = v["within_bound"]; !within.null())
    f.within = {.value = within["value"].figure(), .interval = interval_of(within["ci95"])};
  const JsonAt late = v["lateness"];
  f.lateness.median_ns = late["median_ns"].integer();
  f.lateness.p99_ns = late["p99_ns"].integer();
  f.lateness.max_ns = late["max_ns"].integer();
  f.lateness.share_late = late["share_late"].number();
}

void read_validity(const JsonAt& v, scenario::Validity& out) {
  out.state = v["state"].one_of(kStates);
  v["reasons"].each([&](const JsonAt& reason) { out.reasons.push_back(reason.text()); });
}

scenario::Peak peak_of(const JsonAt& v) {
  scenario::Peak out{.rate = v["queries_per_s"].number(),
                     .estimate = v["estimate_per_s"].number(),
                     .invalid_rate = v["invalid_per_s"].number(),
                     .undecided = v["undecided"].truth(),
                     .seconds = v["seconds"].number()};
  out.end = out.undecided ? scenario::PeakEnd::kBudget : scenario::PeakEnd::kNoneValid;
  v["probes"].each([&](const JsonAt& p) {
    scenario::ProbeRecord& r = out.probes.emplace_back();
    r.probe.rate = p["queries_per_s"].number();
    r.probe.queries = p["queries"].integer();
    r.result.late = p["late"].number();
    r.result.seconds = p["seconds"].number();
  });
  return out;
}

std::optional<accuracy::Figure> read_figure(const JsonAt& v) {
  if (v.null()) return std::nullopt;
  return accuracy::Figure{.value = v["value"].figure(), .interval = interval_of(v["ci95"])};
}

Accuracy accuracy_of(const JsonAt& v) {
  Accuracy out;
  out.samples = v["samples"].integer();
  out.classes = v["classes"].integer();
  out.top1 = read_figure(v["top1"]);
  out.top5 = read_figure(v["top5"]);
  v["metrics"].each([&](const JsonAt& m) {
    out.metrics.push_back(
        {m["metric"].text(), {.value = m["value"].figure(), .interval = interval_of(m["ci95"])}});
  });
  v["class_names"].each(
      [&](const JsonAt& c) { out.class_names.emplace(c["class"].integer(), c["name"].text()); });
  v["predicted"].each([&](const JsonAt& c) { out.predicted.push_back(c.integer()); });
  v["correct"].each([&](const JsonAt& c) { out.correct.push_back(c.below<std::uint8_t>(2)); });
  return out;
}

accuracy::LargestDifference largest_of(const JsonAt& v) {
  return {.value = v["value"].figure(), .sample = v["sample"].row(), .index = v["index"].row()};
}

accuracy::Outputs read_outputs_kind(const JsonAt& v) {
  const std::optional<accuracy::Outputs> kind = accuracy::outputs_named(v.text());
  if (!kind) v.fail("kind of outputs");
  return kind.value_or(accuracy::Outputs::kPlain);
}

accuracy::OutputDivergence read_divergence(const JsonAt& v) {
  accuracy::OutputDivergence out;
  out.output = v["output"].text();
  out.kind = read_outputs_kind(v["kind"]);
  out.comparable = v["comparable"].truth();
  accuracy::DivergenceFigures& f = out.figures;
  f.samples = v["samples"].integer();
  f.values = v["values"].integer();
  f.largest_absolute = largest_of(v["largest_absolute"]);
  f.largest_relative = largest_of(v["largest_relative"]);
  f.mean_absolute = v["mean_absolute"].figure();
  f.differ_in_kind = v["differ_in_kind"].integer();
  f.agreement = read_figure(v["agreement"]).value_or(accuracy::Figure());
  f.kullback_leibler = read_figure(v["kl"]).value_or(accuracy::Figure());
  f.jensen_shannon = read_figure(v["js"]).value_or(accuracy::Figure());
  f.infinite_divergences = v["infinite_divergences"].integer();
  f.no_distribution = v["no_distribution"].integer();
  v["differ"].each([&](const JsonAt& sample) { out.differ.push_back(sample.row()); });
  return out;
}

void read_running(const JsonAt& v, EvaluatedPoint& out) {
  scenario::Figures& f = out.figures;
  const JsonAt phases = v["phases"];
  f.phases = {.measured_ns = phases["measured_ns"].integer(),
              .last_scheduled_ns = phases["last_scheduled_ns"].integer(),
              .drained_ns = phases["drained_ns"].integer(),
              .warmup_queries = phases["warmup_queries"].integer()};
  if (const std::int64_t queries = phases["still_warming_queries"].integer(); queries > 0)
    f.warming = scenario::Warming{queries, phases["still_warming_ns"].integer()};
  v["models"].each([&](const JsonAt& m) { out.models.push_back(model_of(m)); });
  const JsonAt batches = v["batches"];
  if (batches.null()) return;
  scenario::BatchCounts& counts = f.batches.emplace();
  counts.mean = batches["mean_queries"].number();
  counts.most = batches["most_queries"].row();
  batches["counts"].each(
      [&](const JsonAt& c) { counts.counts.emplace(c["queries"].row(), c["batches"].integer()); });
  batches["sessions"].each([&](const JsonAt& m) {
    out.batch_sessions.push_back({m["size"].row(), m["bytes"].integer()});
  });
}

EvaluatedPoint read_point(const JsonAt& v) {
  EvaluatedPoint out;
  const JsonAt runtime = v["runtime"];
  out.runtime.name = runtime["name"].text();
  out.runtime.version = runtime["version"].text();
  out.runtime.library = runtime["library"].text();
  out.threads = v["threads"].below<int>(1U << 30);
  out.samples = v["samples"].row();
  if (const JsonAt peak = v["peak"]; !peak.null()) out.peak = peak_of(peak);
  if (const JsonAt accuracy = v["accuracy"]; !accuracy.null()) out.accuracy = accuracy_of(accuracy);
  v["divergence"].each([&](const JsonAt& d) { out.divergence.push_back(read_divergence(d)); });
  if (const JsonAt figures = v["figures"]; !figures.null()) read_figures(figures, out);
  if (!v["phases"].null()) read_running(v, out);
  if (const JsonAt validity = v["validity"]; !validity.null())
    read_validity(validity, out.validity);
  return out;
}

void read_scenario(const JsonAt& v, Evaluation& out) {
  scenario::Scenario& s = out.scenario;
  const std::optional<scenario::Kind> kind = find_word<scenario::Kind>(v["kind"].text());
  if (!kind) v.fail("kind of a scenario");
  s.kind = kind.value_or(s.kind);
  if (const auto rate = v["queries_per_s"].real()) s.arrivals = scenario::Poisson{*rate};
  s.samples_per_query = v["samples_per_query"].row();
  s.workers = v["lanes"].row();
  s.seed = static_cast<std::uint64_t>(v["seed"].integer());
  if (const JsonAt bound = v["bound"]; !bound.null())
    out.bound = scenario::LatencyBound{scenario::share_of_percentile(bound["percentile"].number()),
                                       bound["latency_ns"].integer()};
}

Evaluation evaluation_of(const JsonAt& v) {
  Evaluation out;
  out.model = v["model"]["path"].text();
  out.graph_hash = v["model"]["graph_hash"].text();
  out.host = v["host"].text();
  out.ridge = v["ridge"].text();
  const JsonAt scenario = v["scenario"];
  out.load = !scenario.null();
  if (out.load) read_scenario(scenario, out);
  v["points"].each([&](const JsonAt& p) { out.points.push_back(read_point(p)); });
  return out;
}

Error unreadable_evaluation(std::string why) {
  return input_error("RIDGE-WB-0166", "an evaluation cannot be read").evidence(std::move(why));
}

}  // namespace

Result<Evaluation> read_evaluation(std::string_view document) {
  std::string why;
  const nlohmann::json parsed = json_object(document, why);
  if (!why.empty()) return unreadable_evaluation(why);
  std::optional<std::string> failure;
  Evaluation out = evaluation_of(JsonAt(parsed, failure));
  if (failure) return unreadable_evaluation(*failure);
  // Again, with the keys in their order.
  const auto ordered = nlohmann::ordered_json::parse(document);
  for (std::size_t i = 0; i < out.points.size(); ++i)
    out.points[i].stored = ordered.at("points").at(i).dump();
  if (const auto data = ordered.find("data"); data != ordered.end() && !data->is_null())
    out.stored_data = data->dump();
  return out;
}

}  // namespace ridge::evaluation
