// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/runs_baseline.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/document.h"
#include "cli/flags/percentage.h"
#include "export/table.h"
#include "lab/baseline/describe.h"
#include "lab/baseline/page.h"
#include "lab/baseline/reference.h"
#include "lab/baseline/subjects.h"
#include "lab/baseline/words.h"

namespace ridge::cli {
namespace {

using exports::Align;
using exports::Table;
using lab::Baseline;

Table findings_table(const std::vector<lab::OffFinding>& findings) {
  Table t({{"machine"},
           {"what is slower", Align::kLeft, 60},
           {"slower", Align::kRight},
           {"expected up to", Align::kRight},
           {"machines", Align::kRight},
           {"evidence", Align::kLeft, exports::kWhole}});
  for (const lab::OffFinding& f : findings)
    t.add({f.machine, f.subject, lab::slowness_text(f.slowness), lab::slowness_text(f.limit),
           fmt::format("{}", f.machines), lab::evidence_text(f)});
  return t;
}

/// A row for each figure of a machine.
Table votes_table(const Baseline& b) {
  Table t({{"kind"},
           {"subject"},
           {"thing"},
           {"unit"},
           {"machine"},
           {"value"},
           {"best"},
           {"runs"},
           {"center"},
           {"limit"},
           {"outside"}});
  for (const lab::Subject& s : b.subjects)
    for (const lab::Thing& thing : s.things)
      for (const lab::Vote& vote : thing.votes) {
        const bool outside = std::ranges::find(s.outside, vote.machine) != s.outside.end();
        t.add({std::string(word(s.kind)), lab::subject_name(s, b.points), thing.name, thing.unit,
               b.machines[vote.machine].name, fmt::format("{}", vote.value),
               fmt::format("{}", vote.best), fmt::format("{}", vote.runs),
               fmt::format("{}", thing.center), fmt::format("{}", s.limit),
               outside ? "yes" : "no"});
      }
  return t;
}

void write_text(const Baseline& b, Sink& sink) {
  sink.write(lab::summary_of(b) + "\n\n" + findings_text(b.findings, b.left_out));
}

void write_markdown(const Baseline& b, Sink& sink) {
  sink.write(lab::summary_of(b) + "\n\n");
  sink.write(b.findings.empty() ? "No machine lies outside.\n"
                                : findings_table(b.findings).markdown());
  if (!b.left_out.empty()) sink.write("\nLeft out:\n\n");
  for (const lab::LeftOut& l : b.left_out)
    sink.write("- " + printable(lab::left_out_text(l)) + "\n");
}

constexpr Document<const Baseline&> kBaselineDocument = {
    .table = write_text,
    .described = [](auto& baseline, auto& out) { out.write(baseline); },
    .csv = [](auto& baseline, Sink& sink) { sink.write(votes_table(baseline).csv()); },
    .md = write_markdown};
static_assert(kBaselineDocument.formats() == kUsualFormats);

}  // namespace

std::string findings_text(const std::vector<lab::OffFinding>& findings,
                          const std::vector<lab::LeftOut>& left_out) {
  std::string out =
      findings.empty() ? "No machine lies outside.\n" : findings_table(findings).text();
  if (!left_out.empty()) out += "\nleft out:\n";
  for (const lab::LeftOut& l : left_out) out += "  " + printable(lab::left_out_text(l)) + "\n";
  return out;
}

Result<void> make_baseline(const RunsBaselineOptions& options, Console& console) {
  const store::Store store = TRY(store::Store::open(options.store, store::Access::kRead));
  Output output = TRY(Output::open(options.output, console));
  std::vector<lab::LeftOut> left_out;
  const std::vector<lab::MachineRun> runs = TRY(lab::machine_runs(store, options.only, left_out));
  lab::BaselineOptions how;
  if (options.rows == "roof") how.rows = lab::Rows::kRoof;
  if (!options.threshold.empty())
    how.least_difference = TRY(parse_percentage("--threshold", options.threshold));
  auto baseline = lab::make_baseline(runs, how, std::move(left_out));
  if (!baseline.ok()) return std::move(baseline).error().in_file(options.store);
  kBaselineDocument.write(options.format, *baseline, output.sink());
  TRY(output.close());
  if (!options.report.empty())
    TRY(Output::write(options.report, lab::baseline_page(*baseline), console));
  if (!options.output.empty() && !baseline->findings.empty())
    console.err.write(findings_text(baseline->findings, {}));
  return {};
}

}  // namespace ridge::cli
