// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/accel/verb.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "accelerator/machine_file.h"
#include "accelerator/study/study.h"
#include "cli/flags/document_options.h"
#include "cli/flags/sizes.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/accel/spec.h"
#include "export/accelerator/estimated_run.h"
#include "export/accelerator/scalesim_reports.h"
#include "export/accelerator/text.h"
#include "export/accelerator/words.h"
#include "report/accelerator/page.h"
#include "session/run_recorder.h"

namespace ridge::cli {
namespace {

/// Shown with the number of layers in tables.
constexpr Document<const accelerator::Study&, std::size_t> kStudyDocument = {
    .table = exports::write_accelerator_text,
    .described = [](auto& study, auto,
                    auto& out) { exports::write_accelerator_document(study, out); },
    .csv = [](auto& study, auto, Sink& sink) { exports::write_accelerator_csv(study, sink); },
    .md = exports::write_accelerator_markdown,
    .html = [](auto& study, auto, Sink& sink) { sink.write(report::accelerator_page(study)); }};

Result<void> check_scalesim_reports(const accelerator::Study& view) {
  if (view.convention != accelerator::Convention::kScalesim || view.points.size() != 1)
    return usage_error("RIDGE-CLI-0148",
                       "--scalesim-reports requires the scalesim convention and a single point")
        .hint("add --convention scalesim, and give one value per option");
  return {};
}

Result<void> write_scalesim(const accelerator::Study& view, const std::string& folder,
                            Console& console) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const exports::ScalesimReports reports = exports::scalesim_reports(view.points.front());
  TRY(Output::write(folder + "/COMPUTE_REPORT.csv", reports.compute, console));
  return Output::write(folder + "/DETAILED_ACCESS_REPORT.csv", reports.detailed, console);
}

Result<void> list_machines(Sink& sink) {
  for (const std::string& name : accelerator::shipped_machine_names())
    sink.write(exports::machine_text(TRY(accelerator::shipped_machine(name))) + "\n");
  return {};
}

/// Converts the points to runs, for a store and for comparisons.
Result<std::vector<profile::Profile>> runs_of(const accelerator::Study& view) {
  std::vector<profile::Profile> out;
  for (const accelerator::StudyPoint& point : view.points) {
    if (!exports::has_run(point))
      return usage_error("RIDGE-CLI-0151",
                         "--store requires a model and a machine with a clock (--machine)")
          .hint(
              "omit --store: products, topologies and SCALE-Sim configurations can only be written "
              "as documents");
    out.push_back(exports::estimated_run(view, point));
  }
  return out;
}

Result<int> run_accel(const AccelOptions& options, Console& console) {
  if (options.print_template || options.list_machines) {
    Output output = TRY(Output::open(options.output, console));
    if (options.print_template)
      output.sink().write(accelerator::machine_template());
    else
      TRY(list_machines(output.sink()));
    TRY(output.close());
    return kDone;
  }
  const ConsoleEnvironment environment(console);
  std::optional<session::RunRecorder> recorder =
      TRY(session::RunRecorder::open(options.store, *environment));
  const accelerator::Study view =
      TRY(accelerator::estimate_study(TRY(spec_of(options)), *environment));
  const std::vector<profile::Profile> runs =
      recorder ? TRY(runs_of(view)) : std::vector<profile::Profile>();
  if (!options.scalesim_reports.empty()) TRY(check_scalesim_reports(view));
  Output output = TRY(Output::open(options.output, console));
  kStudyDocument.write(options.format, view, options.top, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(Output::write(options.report, report::accelerator_page(view), console));
  if (!options.scalesim_reports.empty())
    writing.done(write_scalesim(view, options.scalesim_reports, console));
  if (!recorder) return writing.status(kDone);
  for (const profile::Profile& run : runs)
    recorder->add(run, "", session::RunRecorder::When::kAfterDocument);
  writing.done(recorder->finish(runs, {output.place(), options.format == "json"}));
  return writing.status(kDone);
}

void add_network_options(Flags& flags, AccelOptions& o) {
  flags.add("MODEL", o.model, "an ONNX file, or zoo:NAME");
  flags
      .add("--gemm", o.gemms,
           "a matrix product instead of a model: M,N,K or M,N,K,count; repeatable")
      .single();
  flags.add("--topology", o.topology, "a SCALE-Sim topology (CSV) instead of a model");
  add_size_flags(flags, o.binds, o.shapes,
                 "free sizes by name; several values make a sweep: "
                 "batch=1,8 or sequence=64..1024:*2");
  flags
      .add("--fuse", o.fuse,
           "epilogue (default): fuse element-wise chains into the output pass; or none")
      .one_of({"none", "epilogue"});
  flags
      .add("--profile-with", o.profile_with,
           "source of memory and buffer sizes: closed-form (default), nest (our loop nests) or tir "
           "(TVM's)")
      .one_of({"closed-form", "nest", "tir"});
  flags.add("--run-hooks", o.run_hooks,
            "with tir: also compile and run the network once, and check the counts by hooks");
}

void add_machine_options(Flags& flags, AccelOptions& o) {
  flags
      .add("--machine", o.machines,
           "a shipped machine (--list-machines) or a .toml; several: edge-32,mine.toml")
      .separator(',')
      .single();
  flags.add("--config", o.config, "a SCALE-Sim configuration (.cfg) instead of a machine");
  flags
      .add("--set", o.sets,
           "a key of the machine; several values make a sweep: array.rows=16,32; repeatable")
      .single();
  flags
      .add("--dataflow", o.dataflow,
           "os, ws or is instead of the machine's; best: the best one per layer")
      .one_of({"os", "ws", "is", "best"});
  flags.add("--energy", o.energy,
            "an energy table instead of the machine's: a shipped one, or a .toml");
  flags.add("--template", o.print_template, "print a machine file to edit, and exit");
  flags.add("--list-machines", o.list_machines, "print the shipped machines, and exit");
}

void add_estimate_options(Flags& flags, AccelOptions& o) {
  flags
      .add("--convention", o.convention,
           "cost model: overlapped (default with --machine) or scalesim (default with --config)")
      .one_of({"scalesim", "overlapped"});
  flags
      .add("--pad", o.pads, "pad M x N x K to multiples; several make a sweep: none,16x16x16,m16k8")
      .single();
  flags
      .add("--precision", o.precision,
           "operand widths: machine (default), or file (as stored in the model)")
      .one_of({"machine", "file"});
  flags.add("--tile", o.tile, "tile sizes Tm,Tn,Tk instead of a search");
  flags
      .add("--objective", o.objective,
           "objective of the mapping search: edp (default: energy x latency), latency, energy")
      .one_of({"latency", "energy", "edp"});
  flags
      .add("--sensitivity", o.sensitivity,
           "estimate the gain from doubling each part of the machine: auto (for up to 64 points), "
           "on, off")
      .one_of({"auto", "on", "off"});
  flags.add("--pareto", o.pareto, "also list the Pareto-optimal mappings in latency and energy");
}

void add_output_options(Flags& flags, AccelOptions& o) {
  add_document_options(flags, o.format, o.output, kStudyDocument.formats());
  flags.add("--top", o.top, "layers in tables, most cycles first (20); 0: all, in file order");
  add_report_option(flags, o.report);
  flags.add("--store", o.store, "store every point in this run database (ridge runs)")
      .writes(Writes::kStore);
  flags
      .add("--scalesim-reports", o.scalesim_reports,
           "write COMPUTE_REPORT.csv and DETAILED_ACCESS_REPORT.csv to this folder")
      .writes(Writes::kFolder);
}

}  // namespace

int accel(const AccelOptions& options, Console& console) {
  const Result<int> status = run_accel(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_accel(Flags& flags) {
  auto options = std::make_shared<AccelOptions>();
  flags.heading("Network");
  add_network_options(flags, *options);
  flags.heading("Machine");
  add_machine_options(flags, *options);
  flags.heading("Question");
  add_estimate_options(flags, *options);
  flags.heading("Output");
  add_output_options(flags, *options);
  return [options](Console& console) { return accel(*options, console); };
}

}  // namespace ridge::cli
