#include "workbench/evaluation_reader.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_at.h"

namespace ridge::workbench {
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
  return {.share = v["percentile"].number() / 100,
          .value_ns = v["value_ns"].integer(),
          .interval = interval_of(v["ci95_ns"]),
          .effective = v["effective_queries"].number(),
          .needed = v["needed_queries"].integer()};
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
  const JsonAt latency = v["latency"];
  f.mean_ns = latency["mean_ns"].figure();
  f.trimmed_mean_ns = latency["trimmed_mean_ns"].figure();
  latency["percentiles"].each([&](const JsonAt& p) { f.latency.push_back(percentile_of(p)); });
  if (const JsonAt within = v["within_bound"]; !within.null()) {
    const auto interval = interval_of(within["ci95"]);
    f.within = {.value = within["value"].figure(),
                .interval = interval.value_or(stats::Interval{0, 1}),
                .reliable = interval.has_value()};
  }
  const JsonAt late = v["lateness"];
  f.lateness.median_ns = late["median_ns"].integer();
  f.lateness.p99_ns = late["p99_ns"].integer();
  f.lateness.most_ns = late["max_ns"].integer();
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
  v["probes"].each([&](const JsonAt& p) {
    scenario::ProbeRecord& r = out.probes.emplace_back();
    r.probe.rate = p["queries_per_s"].number();
    r.probe.queries = p["queries"].integer();
    r.result.late = p["late"].number();
    r.result.seconds = p["seconds"].number();
  });
  return out;
}

std::optional<accuracy::Figure> figure_of(const JsonAt& v) {
  if (v.null()) return std::nullopt;
  return accuracy::Figure{.value = v["value"].figure(), .interval = interval_of(v["ci95"])};
}

Accuracy accuracy_of(const JsonAt& v) {
  Accuracy out;
  out.classes = v["classes"].integer();
  out.top1 = figure_of(v["top1"]);
  out.top5 = figure_of(v["top5"]);
  v["predicted"].each([&](const JsonAt& c) { out.predicted.push_back(c.integer()); });
  return out;
}

EvaluatedPoint point_of(const JsonAt& v) {
  EvaluatedPoint out;
  const JsonAt runtime = v["runtime"];
  out.runtime.name = runtime["name"].text();
  out.runtime.version = runtime["version"].text();
  out.runtime.library = runtime["library"].text();
  out.threads = v["threads"].below<int>(1U << 30);
  out.samples = v["samples"].row();
  if (const JsonAt peak = v["peak"]; !peak.null()) out.peak = peak_of(peak);
  if (const JsonAt accuracy = v["accuracy"]; !accuracy.null()) out.accuracy = accuracy_of(accuracy);
  if (const JsonAt figures = v["figures"]; !figures.null()) read_figures(figures, out);
  if (const JsonAt validity = v["validity"]; !validity.null())
    read_validity(validity, out.validity);
  return out;
}

Error unreadable(std::string why) {
  return input_error("RIDGE-WB-0166", "an evaluation of the store cannot be read")
      .evidence(std::move(why));
}

}  // namespace

Result<EvaluatedPoint> read_point(std::string_view document) {
  std::string why;
  const nlohmann::json parsed = json_object(document, why);
  if (!why.empty()) return unreadable(why);
  std::optional<std::string> failure;
  std::vector<EvaluatedPoint> points;
  JsonAt(parsed, failure)["points"].each([&](const JsonAt& p) { points.push_back(point_of(p)); });
  if (failure) return unreadable(*failure);
  if (points.size() != 1) return unreadable("it has no point, or several");
  // Again, with the keys in their order.
  points[0].stored = nlohmann::ordered_json::parse(document).at("points").at(0).dump();
  return std::move(points[0]);
}

}  // namespace ridge::workbench
