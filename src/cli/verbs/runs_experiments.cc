// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/runs_experiments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/date_text.h"
#include "base/text.h"
#include "cli/document.h"
#include "export/table.h"
#include "store/describe_experiment.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

using exports::Align;
using exports::Table;
using store::ExperimentList;
using store::ExperimentReport;

Table list_table(const ExperimentList& list) {
  Table t({{"experiment", Align::kRight},
           {"name", Align::kLeft, 40},
           {"state"},
           {"points", Align::kRight},
           {"measured", Align::kRight},
           {"failed", Align::kRight},
           {"waiting", Align::kRight},
           {"begun (UTC)"},
           {"last sign of life (UTC)"},
           {"machines", Align::kLeft, 40}});
  for (const store::ExperimentRow& row : list.experiments)
    t.add({fmt::format("{}", row.id), row.head.name, std::string(word(row.head.state)),
           fmt::format("{}", row.counts.points), fmt::format("{}", row.counts.measured),
           fmt::format("{}", row.counts.failed), fmt::format("{}", row.counts.waiting),
           date_text(row.head.started_s), date_text(row.head.last_s), row.head.lab});
  return t;
}

/// "run 7", as ridge runs show takes its number; "" without a result.
std::string result_text(const store::ExperimentPoint& point) {
  if (point.run) return fmt::format("{}", *point.run);
  if (point.evaluation) return fmt::format("evaluation:{}", *point.evaluation);
  if (point.generation) return fmt::format("generation:{}", *point.generation);
  return "";
}

Table experiment_points(const ExperimentReport& e) {
  Table t({{"point", Align::kLeft, 60},
           {"machine"},
           {"state"},
           {"result"},
           {"why", Align::kLeft, exports::kWhole}});
  for (const store::ExperimentPoint& p : e.points)
    t.add({p.label, p.machine ? *p.machine : fmt::format("{}", fmt::join(p.machines, ", ")),
           std::string(word(p.state)), result_text(p), p.error});
  return t;
}

Table agents_table(const ExperimentReport& e) {
  Table t({{"agent"},
           {"state"},
           {"last sign of life (UTC)"},
           {"runtimes", Align::kLeft, 60},
           {"models", Align::kRight},
           {"machine", Align::kLeft, 40},
           {"why", Align::kLeft, exports::kWhole}});
  for (const store::Agent& a : e.agents)
    t.add({a.name, std::string(word(a.state)), a.last_s == 0 ? "never" : date_text(a.last_s),
           store::runtimes_text(a.runtimes), fmt::format("{}", a.models.size()), a.machine,
           a.reason});
  return t;
}

std::string head_text(const ExperimentReport& e) {
  const store::PointCounts& c = e.row.counts;
  return printable(fmt::format("experiment {}: {}: {}; {} of {} measured, {} failed, {} waiting",
                               e.row.id, e.row.head.name, word(e.row.head.state), c.measured,
                               counted(c.points, "point"), c.failed, c.waiting)) +
         "\n\n";
}

void write_list_text(const ExperimentList& list, Sink& sink) {
  sink.write(list.experiments.empty() ? "no experiments\n" : list_table(list).text());
}

constexpr Document<const ExperimentList&> kListDocument = {
    .table = write_list_text,
    .described = [](auto& list, auto& out) { out.write(list); },
    .csv = [](auto& list, Sink& sink) { sink.write(list_table(list).csv()); },
    .md = [](auto& list, Sink& sink) { sink.write(list_table(list).markdown()); }};
static_assert(kListDocument.formats() == kUsualFormats);

void write_report_text(const ExperimentReport& e, Sink& sink) {
  sink.write(head_text(e) + experiment_points(e).text());
  if (!e.agents.empty()) sink.write("\n" + agents_table(e).text());
}

void write_report_markdown(const ExperimentReport& e, Sink& sink) {
  sink.write(head_text(e) + experiment_points(e).markdown());
  if (!e.agents.empty()) sink.write("\n" + agents_table(e).markdown());
}

constexpr Document<const ExperimentReport&> kReportDocument = {
    .table = write_report_text,
    .described = [](auto& report, auto& out) { out.write(report); },
    .csv = [](auto& report, Sink& sink) { sink.write(experiment_points(report).csv()); },
    .md = write_report_markdown};
static_assert(kReportDocument.formats() == kUsualFormats);

}  // namespace

Result<void> show_experiments(const RunsExperimentsOptions& options, Console& console) {
  const store::Store store = TRY(store::Store::open(options.store, store::Access::kRead));
  if (options.which.empty()) {
    const ExperimentList list{TRY(store.experiments())};
    Output output = TRY(Output::open(options.output, console));
    kListDocument.write(options.format, list, output.sink());
    return output.close();
  }
  const ExperimentReport report = TRY(store.experiment(TRY(store.experiment_named(options.which))));
  Output output = TRY(Output::open(options.output, console));
  kReportDocument.write(options.format, report, output.sink());
  return output.close();
}

}  // namespace ridge::cli
