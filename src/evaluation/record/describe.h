// SPDX-License-Identifier: Apache-2.0
// Description of the document ridge.evaluation/1 (record/describe.h), of which Evaluation is both
// what is written and what is read.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accuracy/describe.h"
#include "analysis/sizes/describe.h"
#include "evaluation/record/describe_parts.h"
#include "evaluation/record/evaluation.h"
#include "manifest/describe.h"
#include "runtime/describe.h"
#include "scenario/describe.h"
#include "scenario/figures_describe.h"

namespace ridge {

namespace evaluation {

inline bool has_load(const Evaluation& e) { return e.load; }
inline scenario::Kind kind_asked(const Evaluation& e) { return e.scenario.kind; }
/// Evaluations under a load alone have one.
inline void set_kind_asked(Evaluation& e, scenario::Kind kind) {
  e.scenario.kind = kind;
  e.load = true;
}

inline std::span<const std::string_view> arrival_names() {
  static constexpr auto kNames = [] {
    constexpr auto all = record::kType<scenario::ArrivalProcess>.alternatives;
    std::array<std::string_view, all.size()> names;
    std::ranges::transform(all, names.begin(), &record::Type::name);
    return names;
  }();
  return kNames;
}
inline std::optional<std::string> arrivals_asked(const Evaluation& e) {
  if (e.scenario.kind != scenario::Kind::kServer) return std::nullopt;
  return std::string(name(e.scenario.arrivals));
}

/// Sets the process of the name, one of arrival_names().
inline void set_arrivals_asked(Evaluation& e, const std::optional<std::string>& asked) {
  if (!asked) return;
  const auto names = arrival_names();
  const auto which = static_cast<std::size_t>(std::ranges::find(names, *asked) - names.begin());
  record::kType<scenario::ArrivalProcess>.resize(&e.scenario.arrivals, which);
}

inline std::optional<double> server_rate(const scenario::Scenario& s) {
  return s.kind == scenario::Kind::kServer ? std::optional(mean_rate(s.arrivals)) : std::nullopt;
}
inline std::optional<double> rate_asked(const Evaluation& e) { return server_rate(e.scenario); }
/// After the process was read, of which documents have no more than its name and mean rate.
inline void set_rate_asked(Evaluation& e, std::optional<double> rate) {
  if (rate) set_mean_rate(e.scenario.arrivals, *rate);
}
inline std::optional<double> rate_run(const EvaluatedPoint& p) { return server_rate(p.scenario); }
inline void set_rate_run(EvaluatedPoint& p, std::optional<double> rate) {
  if (!rate) return;
  p.scenario.kind = scenario::Kind::kServer;
  p.scenario.arrivals = scenario::Poisson{*rate};
}

/// With the sizes that batches have.
inline std::optional<scenario::Batching> batching_asked(const Evaluation& e) {
  std::optional<scenario::Batching> out = e.scenario.batching;
  if (out) out->sizes = sizes_of(*out);
  return out;
}
inline void set_batching_asked(Evaluation& e, std::optional<scenario::Batching> batching) {
  e.scenario.batching = std::move(batching);
}

inline bool has_figures(const EvaluatedPoint& p) { return p.under_load; }
inline std::int64_t queries_recorded(const EvaluatedPoint& p) { return p.figures.queries; }
/// Points under a load alone have them.
inline void set_queries_recorded(EvaluatedPoint& p, std::int64_t queries) {
  p.figures.queries = queries;
  p.under_load = true;
}
inline std::optional<std::int64_t> missed(const EvaluatedPoint& p) {
  const std::int64_t answered = p.figures.queries - p.figures.failed;
  return answered < 3 ? std::nullopt : std::optional(scenario::missed_one_in(answered));
}

}  // namespace evaluation

template <>
struct record::Describe<evaluation::ModelFigures> {
  using T = evaluation::ModelFigures;
  using Of = scenario::Figures;
  static constexpr std::array fields{
      field<&T::model>("path", "file, or zoo:NAME"),
      field<&T::share>("share", "of the queries, as asked", known()),
      field<&T::samples>("samples", "sets of inputs that its queries take"),
      field<&T::figures, &Of::queries>("queries", "queries that were recorded"),
      field<&T::figures, &Of::failed>("failed", "queries whose input the runtime rejected"),
      field<&T::figures, &Of::completed>("completed", "queries done"),
      field<&T::figures, &Of::latency>("latency", "latencies")};
};

template <>
struct record::Describe<evaluation::EvaluatedPoint> {
  using T = evaluation::EvaluatedPoint;
  using Of = scenario::Figures;
  using Phases = scenario::Phases;
  using Warming = scenario::Warming;
  static constexpr std::array figures{
      computed<evaluation::queries_recorded, evaluation::set_queries_recorded>(
          "queries", "queries that were recorded"),
      field<&T::figures, &Of::failed>("failed", "queries whose input the runtime rejected"),
      field<&T::figures, &Of::abandoned>("abandoned",
                                         "queries that were due before the end and not issued"),
      field<&T::figures, &Of::duration_s>(
          "duration_s", "from the first due time of the schedule to the last query done", known()),
      field<&T::figures, &Of::scheduled_per_s>(
          "scheduled_per_s",
          "offered: queries of a server per second as they were due, not as asked for; 0 for other "
          "scenarios",
          known()),
      field<&T::figures, &Of::completed>("completed", "queries done"),
      field<&T::figures, &Of::samples>("samples", "samples done"),
      field<&T::figures, &Of::latency>("latency", "latencies", on_line()),
      field<&T::figures, &Of::within>("within_bound", "queries within the bound; null without one"),
      computed<evaluation::missed>(
          "missed_one_in",
          "what happens once in so many queries is in none of these with a probability of 5 % (a "
          "third of the queries: the rule of three); null for fewer than three"),
      field<&T::figures, &Of::lateness>(
          "lateness",
          "time from when a query was due and a worker was free to when it "
          "was issued: the generator's own fault")};
  static constexpr std::array phases{
      field<&T::figures, &Of::phases, &Phases::warmup_queries>(
          "warmup_queries", "queries of the warm-up, which figures leave out"),
      field<&T::figures, &Of::phases, &Phases::measured_ns>("measured_ns", "end of the warm-up"),
      field<&T::figures, &Of::phases, &Phases::last_scheduled_ns>("last_scheduled_ns",
                                                                  "due time of the last query"),
      field<&T::figures, &Of::phases, &Phases::drained_ns>("drained_ns", "end of the last query"),
      field<&T::figures, &Of::warming, &Warming::queries>(
          "still_warming_queries",
          "queries after the warm-up that ran slower than those after them; 0: none were seen"),
      field<&T::figures, &Of::warming, &Warming::after_ns>(
          "still_warming_ns", "due time of the first query after those; 0: none were seen")};
  static constexpr std::array fields{
      field<&T::runtime>("runtime", "runtime"),
      field<&T::threads>("threads", "threads of each run"),
      field<&T::samples>("samples", "sets of inputs that queries take"),
      computed<evaluation::rate_run, evaluation::set_rate_run>(
          "queries_per_s", "mean rate as run: that of the peak where it was searched"),
      field<&T::peak>("peak", "search for the largest rate; null without --find-peak", on_line()),
      field<&T::accuracy>("accuracy", "with --data; null otherwise", on_line()),
      field<&T::divergence>("divergence",
                            "differences between the outputs and those of the first runtime, one "
                            "for each output; empty for the first",
                            on_line(), item_lines()),
      field<&T::outputs>("outputs", "files of --save-outputs, one for each output", on_line()),
      field<&T::mlperf>("mlperf",
                        "the test by LoadGen's rules; null without --mlperf-logs. Never an MLPerf "
                        "result",
                        on_line()),
      field<&T::lock>("lock",
                      "everything that the result depends on: ridge eval --lock repeats it; hashes "
                      "are SHA-256",
                      on_line()),
      group<T, figures>("figures", "null for accuracy alone", on_line(),
                        when<evaluation::has_figures>()),
      group<T, phases>("phases",
                       "times after the first due time of the schedule; null for accuracy alone",
                       on_line(), when<evaluation::has_figures>()),
      field<&T::figures, &Of::batches>("batches", "batches that were run; null without batching",
                                       on_line()),
      field<&T::models>("models", "models of a mix, the first one included; empty without",
                        on_line(), item_lines()),
      field<&T::validity>("validity", "if the figures count; null for accuracy alone", on_line(),
                          when<evaluation::has_figures>())};
};

template <>
struct record::Describe<evaluation::Evaluation> {
  using T = evaluation::Evaluation;
  using Of = scenario::Scenario;
  static constexpr std::string_view schema = "ridge.evaluation/1";
  static constexpr std::string_view text =
      "A model under load, and its accuracy on data: `ridge eval MODEL --format json`. Times are "
      "nanoseconds; what is unknown is null.";
  static constexpr std::array model{field<&T::model>("path", "file, or zoo:NAME"),
                                    field<&T::graph_hash>("graph_hash", "hash of the structure")};
  static constexpr std::array scenario{
      computed<evaluation::kind_asked, evaluation::set_kind_asked>(
          "kind", "as in MLPerf Inference where it has the scenario"),
      computed<evaluation::arrivals_asked, evaluation::set_arrivals_asked>(
          "arrivals", "process of a server's arrivals", one_of<evaluation::arrival_names>()),
      computed<evaluation::rate_asked, evaluation::set_rate_asked>(
          "queries_per_s", "mean rate of the schedule as asked"),
      field<&T::scenario, &Of::samples_per_query>("samples_per_query", "samples of each query"),
      field<&T::scenario, &Of::workers>("lanes", "runs at the same time"),
      field<&T::scenario, &Of::seed>("seed", "seed of arrivals and samples"),
      field<&T::scenario, &Of::min_duration>("min_duration_ns",
                                             "time for which queries are issued at least"),
      field<&T::scenario, &Of::max_duration>("max_duration_ns", "time after which none are issued"),
      field<&T::scenario, &Of::min_queries>("min_queries", "queries that are issued at least"),
      field<&T::scenario, &Of::warmup_duration>("warmup_ns",
                                                "time at the beginning that figures leave out"),
      field<&T::scenario, &Of::warmup_queries>("warmup_queries",
                                               "queries at the beginning that figures leave out"),
      field<&T::scenario, &Of::clients>("clients",
                                        "clients of a closed loop; 0: each worker is one"),
      computed<evaluation::batching_asked, evaluation::set_batching_asked>(
          "batching", "queries that run together; null: one by one"),
      field<&T::bound>("bound", "bound that was asked for")};
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that wrote this"),
      field<&T::host>("host", "host, processor, number of processors"),
      group<T, model>("model", "model"),
      field<&T::sizes>("bindings", "sizes by name"),
      group<T, scenario>("scenario", "load as asked; null for accuracy alone", on_line(),
                         when<evaluation::has_load>()),
      field<&T::data>("data", "samples of --data; null for seeded ones", on_line()),
      field<&T::points>("points", "one for each runtime", on_line(), item_lines())};
};

}  // namespace ridge
