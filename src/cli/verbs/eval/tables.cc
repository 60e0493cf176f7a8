// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "accuracy/metrics.h"
#include "base/numeral.h"
#include "base/text.h"
#include "cli/verbs/figure_text.h"
#include "evaluation/record/document.h"
#include "export/evaluation/divergence_text.h"

namespace ridge::cli {
namespace {

using evaluation::EvaluatedPoint;
using exports::Align;
using scenario::Percentile;

/// Figure that is no share: "31.2 dB" has its unit in the metric's name.
std::string value_text(const accuracy::Figure& figure) {
  std::string out = significant(figure.value, 4);
  if (figure.interval)
    out += fmt::format(" ({} to {})", significant(figure.interval->lo, 4),
                       significant(figure.interval->hi, 4));
  return out;
}

std::string accuracy_text(const EvaluatedPoint& p) {
  if (!p.accuracy) return counted(std::int64_t{p.samples}, "seeded sample");
  const evaluation::Accuracy& a = *p.accuracy;
  std::string out = counted(a.samples, "sample");
  for (const evaluation::NamedFigure& m : a.metrics) {
    const accuracy::MetricRow* row = accuracy::find_metric(m.metric);
    const bool share = row == nullptr || row->unit == "share";
    const std::string_view shown = m.metric == "top1"   ? "top-1"
                                   : m.metric == "top5" ? "top-5"
                                                        : std::string_view(m.metric);
    out += fmt::format(", {} {}", shown,
                       share ? exports::precise_share(m.figure) : value_text(m.figure));
  }
  return out;
}

/// Differences from the first runtime, and the answers that were asked for.
std::string judged_text(const evaluation::Evaluation& e, const EvaluatedPoint& p) {
  std::string out;
  const std::span<const std::string> names =
      e.data ? std::span<const std::string>(e.data->names) : std::span<const std::string>();
  for (const accuracy::OutputDivergence& d : p.divergence)
    out += "\n  " + exports::divergence_text(d, e.points[0].runtime.name, names);
  if (!p.accuracy || !e.data) return out;
  for (std::size_t i = 0; i < p.accuracy->answers.size(); ++i)
    out += fmt::format("\n  {}: {}", printable(e.data->names.at(i)),
                       printable(p.accuracy->answers[i]));
  return out;
}

/// Lines on a test by LoadGen's rules.
std::string mlperf_text(const EvaluatedPoint& p) {
  std::string out;
  if (!p.mlperf) return out;
  for (const std::string& sentence : p.mlperf->sentences())
    out += fmt::format("  {}\n", printable(sentence));
  return out;
}

std::string peak_text(const scenario::Peak& peak) {
  if (peak.rate <= 0) return std::string(why_no_rate(peak));
  return fmt::format(
      "largest rate within the bound: {} queries/s, estimated {}; {} {}, {} in {:.0f} s",
      significant(peak.rate, 4), significant(peak.estimate, 4),
      peak.undecided ? "undecided from" : "beyond it from", significant(peak.invalid_rate, 4),
      counted(std::ssize(peak.probes), "probe"), peak.seconds);
}

/// Line on the events that so many queries may not have seen.
std::string missed_text(const scenario::Figures& f) {
  const std::int64_t answered = f.queries - f.failed;
  if (answered < 6) return "";
  return fmt::format("\n  may have missed: what happens once in {} queries or less often",
                     scenario::missed_one_in(answered));
}

/// Lines on phases, batches and models.
std::string running_text(const EvaluatedPoint& p) {
  const scenario::Figures& f = p.figures;
  std::string out;
  if (f.phases.warmup_queries > 0)
    out += fmt::format("\n  warm-up: {} in {}, left out", counted(f.phases.warmup_queries, "query"),
                       duration(f.phases.measured_ns));
  if (f.warming.queries > 0)
    out +=
        fmt::format("\n  still warming up: the first {} ({}) ran slower; --warmup leaves them out",
                    counted(f.warming.queries, "query"), duration(f.warming.after_ns));
  if (f.batches)
    out += fmt::format("\n  batches: mean {:.1f}, most {}", f.batches->mean, f.batches->most);
  if (f.batches && !f.batches->sessions.empty()) {
    std::int64_t bytes = 0;
    for (const scenario::BatchSession& s : f.batches->sessions) bytes += s.bytes;
    out += fmt::format("; {} for them take {:.1f} MB more",
                       counted(std::ssize(f.batches->sessions), "session"),
                       static_cast<double>(bytes) * 1e-6);
  }
  for (const evaluation::ModelFigures& m : p.models)
    out += fmt::format("\n  {}: {}, {}, p50 {}", printable(m.model),
                       counted(m.figures.queries, "query"),
                       rate_text(m.figures.completed, "queries/s"),
                       duration(m.figures.latency.percentiles.at(0).value_ns));
  return out;
}

}  // namespace

exports::Table table_of(const evaluation::Evaluation& evaluation, bool exact) {
  exports::Table out({{"runtime"},
                      {"threads", Align::kRight},
                      {"percentile", Align::kRight},
                      {exact ? "latency_ns" : "latency", Align::kRight},
                      {exact ? "ci95_ns" : "95 % interval", Align::kRight}});
  for (const EvaluatedPoint& p : evaluation.points)
    for (const Percentile& percentile : p.figures.latency.percentiles)
      out.add({p.runtime.name, fmt::format("{}", p.threads),
               scenario::percentile_name(percentile.share),
               p.figures.queries > p.figures.failed ? time_text(percentile.value_ns, exact) : "",
               interval_text(percentile, exact, "queries")});
  return out;
}

std::string rates_text(const evaluation::Evaluation& evaluation) {
  std::string out;
  for (const EvaluatedPoint& p : evaluation.points) {
    const scenario::Figures& f = p.figures;
    if (p.peak && p.peak->rate <= 0) {
      out += fmt::format("{} {}: {}\n", p.runtime.name, p.runtime.version, peak_text(*p.peak));
      continue;
    }
    if (!evaluation.load) {
      out += fmt::format("{} {}: {}{}\n", p.runtime.name, p.runtime.version, accuracy_text(p),
                         judged_text(evaluation, p));
      out += mlperf_text(p);
      continue;
    }
    out +=
        fmt::format("\n{} {}: {} in {:.1f} s, {}", p.runtime.name, p.runtime.version,
                    counted(f.queries, "query"), f.duration_s, rate_text(f.completed, "queries/s"));
    if (f.samples.per_s > f.completed.per_s) out += ", " + rate_text(f.samples, "samples/s");
    out += fmt::format("\n  latency: mean {}, without 20 % at each end {}",
                       duration(f.latency.mean_ns), duration(f.latency.trimmed_mean_ns));
    out += fmt::format("\n  issued late by: median {}, p99 {}; later than 20 us: {} %",
                       duration(f.lateness.median_ns), duration(f.lateness.p99_ns),
                       significant(100 * f.lateness.share_late, 2));
    if (f.within)
      out += fmt::format("\n  within {}: {:.4g} %{}, {} queries/s",
                         duration(evaluation.bound->latency_ns), 100 * f.within->value,
                         f.within->interval
                             ? fmt::format(" ({:.4g} to {:.4g})", 100 * f.within->interval->lo,
                                           100 * f.within->interval->hi)
                             : "",
                         significant(f.within->value * f.completed.per_s, 4));
    out += missed_text(f);
    out += running_text(p);
    if (p.accuracy) out += "\n  " + accuracy_text(p) + judged_text(evaluation, p);
    if (p.peak) out += "\n  " + peak_text(*p.peak);
    out += fmt::format("\n  {}\n", word(p.validity.state));
    for (const std::string& reason : p.validity.reasons)
      out += fmt::format("    {}\n", printable(reason));
    out += mlperf_text(p);
  }
  return out;
}

namespace {

void write_evaluation_text(const evaluation::Evaluation& evaluation, Sink& sink) {
  exports::Table table = table_of(evaluation, false);
  const std::string shared = table.take_shared({"runtime", "threads"});
  sink.write(shared.empty() ? "" : shared + "\n\n");
  // Samples of an offline load are all there at its beginning: only their rate counts.
  const bool offline = evaluation.scenario.kind == scenario::Kind::kOffline;
  if (evaluation.load && !offline) sink.write(table.text());
  sink.write(rates_text(evaluation));
}

}  // namespace

constexpr Document<const evaluation::Evaluation&> kEvaluationDocument = {
    .table = write_evaluation_text,
    .described = evaluation::write_evaluation,
    .csv = [](auto& e, Sink& sink) { sink.write(table_of(e, true).csv()); },
    .md = [](auto& e, Sink& sink) { sink.write(table_of(e, false).markdown()); }};

}  // namespace ridge::cli
