// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/doctor_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "accelerator/study/tvm.h"
#include "base/text.h"
#include "cli/cache_folder.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/runtime_source.h"
#include "cli/verbs/runs_baseline.h"
#include "lab/baseline/describe.h"
#include "lab/baseline/reference.h"
#include "machine/describe.h"
#include "runtime/paths.h"
#include "session/machine_roofs.h"

namespace ridge::cli {
namespace {

using machine::Check;

std::string_view verdict(const Check& c) {
  if (!c.ok) return "?";
  return *c.ok ? "ok" : c.serious ? "BAD" : "note";
}

std::string baseline_text(const lab::BaselineCheck& check) {
  return fmt::format("\n{} beside the baseline: {}\n{}", printable(check.machine),
                     counted(std::int64_t{check.judged}, "test"),
                     findings_text(check.findings, check.left_out));
}

constexpr Document<const machine::Host&, const std::vector<Check>&> kFitnessDocument = {
    .table = [](auto&, auto& checks, Sink& sink) { sink.write(fitness_text(checks)); },
    .described = [](auto& host, auto& checks,
                    auto& out) { out.write(machine::document(host, checks, {})); }};

constexpr Document<const lab::BaselineCheck&> kBaselineCheckDocument = {
    .table = [](auto& check, Sink& sink) { sink.write(baseline_text(check)); },
    .described = [](auto& check, auto& out) { out.write(check); }};
static_assert(kBaselineCheckDocument.formats() == kFitnessDocument.formats());

/// Newest runs of a point that are looked at: their median counts, and the fastest.
constexpr std::size_t kNewestRuns = 3;

/// This machine's runs of the store, or its roofs as a run of no model.
Result<std::vector<lab::MachineRun>> own_runs(const DoctorOptions& options,
                                              const lab::MachineName& machine,
                                              std::vector<lab::LeftOut>& left_out,
                                              Console& console) {
  if (options.store.empty()) {
    const Interruption interruption;
    const ConsoleEnvironment environment(console);
    profile::Profile roofs;
    roofs.host_json = machine::host_json(environment->host);
    roofs.roofs = TRY(session::machine_roofs(*environment, {}, false)).rows;
    std::vector<lab::MachineRun> out;
    out.push_back(lab::machine_run(std::move(roofs)));
    return out;
  }
  const store::Store store = TRY(store::Store::open(options.store, store::Access::kRead));
  store::RunFilter own;
  own.host = machine.name;
  auto runs = TRY(lab::machine_runs(store, own, left_out, kNewestRuns));
  std::erase_if(runs, [&](const lab::MachineRun& run) { return run.machine != machine; });
  if (runs.empty())
    return input_error("RIDGE-CLI-0281", "the run database has no run of this machine")
        .evidence(fmt::format("this machine: {}, {}", machine.name, machine.processor))
        .hint("measure here with --store, or leave out the database: the roofs are measured")
        .in_file(options.store);
  return runs;
}

Result<lab::BaselineCheck> check_baseline(const DoctorOptions& options, const machine::Host& host,
                                          Console& console) {
  const lab::Baseline baseline = TRY(lab::read_baseline(options.baseline));
  const lab::MachineName machine = lab::machine_of(host);
  std::vector<lab::LeftOut> left_out;
  const auto runs = TRY(own_runs(options, machine, left_out, console));
  auto check = lab::check_machine(baseline, machine, runs, std::move(left_out));
  if (!check.ok()) return std::move(check).error().in_file(options.baseline);
  return check;
}

Result<int> run_doctor(const DoctorOptions& options, Console& console) {
  if (!options.store.empty() && options.baseline.empty())
    return usage_error("RIDGE-CLI-0280", "a run database is compared with a baseline")
        .hint("add --baseline FILE, made by ridge runs baseline");
  const machine::Host host = machine::this_host();
  const auto runtimes =
      options.find_runtimes ? options.find_runtimes() : std::vector<machine::RuntimeFinding>{};
  const std::vector<Check> checks =
      machine::assess(machine::observe(host, machine::live_files()), runtimes);
  Output output = TRY(Output::open(options.output, console));
  std::optional<lab::BaselineCheck> compared;
  if (!options.baseline.empty()) compared = TRY(check_baseline(options, host, console));
  if (!compared || options.format == "table")
    kFitnessDocument.write(options.format, host, checks, output.sink());
  if (compared) kBaselineCheckDocument.write(options.format, *compared, output.sink());
  TRY(output.close());
  const bool unfit = std::any_of(checks.begin(), checks.end(), [](const Check& c) {
    return c.serious && c.ok.has_value() && !*c.ok;
  });
  if (unfit) return kEnvironment;
  return compared && !compared->findings.empty() ? kCheckFailed : kDone;
}

}  // namespace

std::string fitness_text(const std::vector<Check>& checks) {
  std::size_t width = 0;
  for (const Check& c : checks) width = std::max(width, c.check.size());
  std::string out;
  std::size_t notes = 0;
  for (const Check& c : checks) {
    out += fmt::format("{:<4}  {:<{}}  {}\n", verdict(c), c.check, width, printable(c.finding));
    if (!c.advice.empty())
      out += fmt::format("{:>{}}  -> {}\n", "", width + 6, printable(c.advice));
    notes += c.ok.has_value() && !*c.ok ? 1 : 0;
  }
  out += notes == 0 ? "Fit for measuring.\n"
                    : fmt::format("Checks that need attention: {} of {}.\n", notes, checks.size());
  return out;
}

int doctor(const DoctorOptions& options, Console& console) {
  const Result<int> status = run_doctor(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_doctor(Flags& flags) {
  auto options = std::make_shared<DoctorOptions>();
  auto plugins = std::make_shared<std::vector<std::string>>();
  options->find_runtimes = [plugins] {
    std::vector<machine::RuntimeFinding> found = find_runtimes();
    found.push_back(accelerator::find_tvm(tvm_folder()));
    for (const std::string& path : *plugins) found.push_back(try_plugin(path));
    return found;
  };
  flags
      .add("--runtime", *plugins,
           "a plug-in to open, by its path, beside the runtimes that ridge knows")
      .single()
      .shown_as("PATH.so")
      .checked([](std::string& text) -> std::string {
        return runtime::is_plugin_path(text) ? "" : text + " is no path of a plug-in";
      });
  flags
      .add("--baseline", options->baseline,
           "document of ridge runs baseline; without STORE this machine's roofs are measured")
      .shown_as("FILE");
  flags.add("STORE", options->store,
            "run database with this machine's runs, of which the newest are compared");
  add_document_options(flags, options->format, options->output, kFitnessDocument.formats());
  return [options](Console& console) { return doctor(*options, console); };
}

}  // namespace ridge::cli
