// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/doctor_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "accelerator/study/tvm.h"
#include "base/text.h"
#include "cli/cache_folder.h"
#include "cli/flags/document_options.h"
#include "cli/runtime_source.h"
#include "machine/describe.h"
#include "runtime/paths.h"

namespace ridge::cli {
namespace {

using machine::Check;

std::string_view verdict(const Check& c) {
  if (!c.ok) return "?";
  return *c.ok ? "ok" : c.serious ? "BAD" : "note";
}

constexpr Document<const machine::Host&, const std::vector<Check>&> kFitnessDocument = {
    .table = [](auto&, auto& checks, Sink& sink) { sink.write(fitness_text(checks)); },
    .described = [](auto& host, auto& checks,
                    auto& out) { out.write(machine::document(host, checks, {})); }};

Result<int> run_doctor(const DoctorOptions& options, Console& console) {
  const machine::Host host = machine::this_host();
  const auto runtimes =
      options.find_runtimes ? options.find_runtimes() : std::vector<machine::RuntimeFinding>{};
  const std::vector<Check> checks =
      machine::assess(machine::observe(host, machine::live_files()), runtimes);
  Output output = TRY(Output::open(options.output, console));
  kFitnessDocument.write(options.format, host, checks, output.sink());
  TRY(output.close());
  const bool unfit = std::any_of(checks.begin(), checks.end(), [](const Check& c) {
    return c.serious && c.ok.has_value() && !*c.ok;
  });
  return unfit ? kEnvironment : kDone;
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
  add_document_options(flags, options->format, options->output, kFitnessDocument.formats());
  return [options](Console& console) { return doctor(*options, console); };
}

}  // namespace ridge::cli
