// SPDX-License-Identifier: Apache-2.0
// Cost of passing weights to a runtime: time of preparing them, of the load call and of the first
// run, the median of ten runs, and the resident memory of the runtime's process after the load
// call: anonymous, of files, in files below /dev/shm that it still maps, the peak so far. Weights
// passed in memory alternate with weights in files that the runtime maps.
//
//   build/bench/ridge_weight_memory [MODEL [TRIES [RUNTIME [SIZE=N...]]]]
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/descriptor_sink.h"
#include "cli/flags/sizes.h"
#include "cli/measuring_environment.h"
#include "measure/job.h"
#include "measure/material.h"
#include "runtime/child/child.h"
#include "runtime/testing/child_status.h"
#include "session/workbench.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

constexpr Nanos kMillisecond{1'000'000};
constexpr std::uint32_t kRuns = 10;

Result<void> load_once(const Material& material, const runtime::Options& options, const char* how) {
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(options));
  const runtime::Loaded loaded =
      TRY(runtime.load({material.copy.bytes, material.weights, runtime::Dump::kNothing}));
  const runtime::testing::ResidentMemory memory = runtime::testing::status_of_child().memory;
  TRY(runtime.set_inputs(loaded.session, material.inputs));
  const runtime::Plan plan{
      .warmup_runs = 5, .profiled_per_round = 0, .min_rounds = kRuns, .max_rounds = kRuns};
  const runtime::Measurement measured = TRY(runtime.measure(loaded.session, plan));
  std::vector<double> runs;
  for (const runtime::Sample& s : measured.samples)
    if (s.mode == runtime::Mode::kUnprofiled) runs.push_back(s.wall / kMillisecond);
  fmt::print("{:<10} {:>8.1f} {:>8.1f} {:>9.2f} {:>8.2f} {:>9} {:>8} {:>8} {:>8}\n", how,
             loaded.prepare / kMillisecond, loaded.load / kMillisecond,
             measured.samples.at(0).wall / kMillisecond, stats::median(runs),
             memory.anonymous / 1024, memory.files / 1024, memory.weights / 1024,
             memory.peak / 1024);
  std::fflush(stdout);
  return {};
}

Result<void> run(const std::string& model, int tries, const std::string& runtime,
                 std::vector<std::string> sizes, cli::Console& console) {
  session::MeasureSpec spec;
  spec.runtimes = {runtime};
  spec.sizes = {TRY(cli::single_point(TRY(cli::parse_sizes(sizes, {}))))};
  const cli::ConsoleEnvironment environment(console);
  const session::Workbench bench = TRY(session::make_workbench(model, spec, *environment));
  const session::Point point = session::points_of(spec).at(0);
  const analysis::Resolved resolved = TRY(bench.resolve(point));
  const Request request = TRY(bench.request(point));
  const Material material =
      TRY(prepare(resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
  double load = 0;
  ::getloadavg(&load, 1);
  fmt::print("{} in {}, load average {:.2f}; ms, then MiB resident after loading\n", model, runtime,
             load);
  fmt::print("{:<10} {:>8} {:>8} {:>9} {:>8} {:>9} {:>8} {:>8} {:>8}\n", "weights", "prepare",
             "load", "first run", "run", "anonymous", "of files", "/dev/shm", "peak");
  for (int i = 0; i < tries; ++i) {
    runtime::Options in_memory = request.runtime, mapped = request.runtime;
    in_memory.memory_folder = "";
    TRY(load_once(material, in_memory, "in memory"));
    TRY(load_once(material, mapped, "mapped"));
  }
  return {};
}

}  // namespace
}  // namespace ridge::measure

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  cli::DescriptorSink out(STDOUT_FILENO, 0), err(STDERR_FILENO, 0);
  cli::Console console{out, err};
  const Result<void> done =
      measure::run(argc > 1 ? argv[1] : "zoo:bert_base", argc > 2 ? std::atoi(argv[2]) : 3,
                   argc > 3 ? argv[3] : "ort", {argv + std::min(argc, 4), argv + argc}, console);
  return done.ok() ? 0 : cli::report(console, done.error());
}
