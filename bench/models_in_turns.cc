// SPDX-License-Identifier: Apache-2.0
// Latencies of two models in turns, run by run: a network and an edited copy of it, say. One line
// of JSON: both medians in ns, the ratio second / first with its 95 % interval (null if there are
// too few runs), the number of pairs and how many of them others disturbed. Exit status 1: no
// pairs.
//
//   build/bench/ridge_models_in_turns FIRST SECOND SECONDS PROCESSES RUNTIME THREADS [NAME=SIZE...]
//   build/bench/ridge_models_in_turns clean.onnx repaired.onnx 4 3 ort 1 sequence=128
//
// SECONDS are of all processes together. Sizes are of both models.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/descriptor_sink.h"
#include "cli/flags/sizes.h"
#include "cli/measuring_environment.h"
#include "measure/plain_runs.h"
#include "runtime/child/child.h"
#include "session/workbench.h"
#include "stats/change.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

std::vector<double> flat(const PlainRuns& runs) {
  std::vector<double> out;
  for (const std::vector<double>& process : runs.ns)
    out.insert(out.end(), process.begin(), process.end());
  return out;
}

/// The number of pairs.
Result<std::size_t> run(const std::string& first, const std::string& second,
                        const session::MeasureSpec& spec, cli::Console& console) {
  const cli::ConsoleEnvironment environment(console);
  const session::Point point = session::points_of(spec).at(0);
  const session::Workbench benches[] = {TRY(session::make_workbench(first, spec, *environment)),
                                        TRY(session::make_workbench(second, spec, *environment))};
  const analysis::Resolved models[] = {TRY(benches[0].resolve(point)),
                                       TRY(benches[1].resolve(point))};
  const Column columns[] = {{&models[0], TRY(benches[0].request(point))},
                            {&models[1], TRY(benches[1].request(point))}};
  const std::vector<PlainRuns> runs = TRY(plain_runs_in_turns(columns));
  const stats::Change change(runs[0].ns, runs[1].ns, stats::Runs::kInTurns);
  const std::optional<stats::Interval> interval = change.ratio_interval(0.95);
  const std::string ci95 =
      interval ? fmt::format("[{:.5f},{:.5f}]", interval->lo, interval->hi) : "null";
  fmt::print(R"({{"first_ns":{:.0f},"second_ns":{:.0f},"ratio":{:.5f},"ci95":{},)",
             stats::median(flat(runs[0])), stats::median(flat(runs[1])), change.ratio(), ci95);
  fmt::print(R"("pairs":{},"disturbed":{}}})"
             "\n",
             change.size(), std::max(runs[0].disturbed, runs[1].disturbed));
  return change.size();
}

Result<session::MeasureSpec> spec_of(char** argv, int count) {
  session::MeasureSpec spec;
  spec.budget = {.seconds = std::atof(argv[0]), .of_each_process = false};
  spec.processes = static_cast<std::uint32_t>(std::max(1, std::atoi(argv[1])));
  spec.runtimes = {argv[2]};
  spec.threads = {std::max(1, std::atoi(argv[3]))};
  spec.sizes = {TRY(cli::single_point(TRY(cli::parse_sizes({argv + 4, argv + count}, {}))))};
  return spec;
}

Result<std::size_t> run(char** argv, int count, cli::Console& console) {
  return run(argv[0], argv[1], TRY(spec_of(argv + 2, count - 2)), console);
}

}  // namespace
}  // namespace ridge::measure

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  if (argc < 7) {
    fmt::print(stderr, "usage: {} FIRST SECOND SECONDS PROCESSES RUNTIME THREADS [NAME=SIZE...]\n",
               argv[0]);
    return 2;
  }
  cli::DescriptorSink out(STDOUT_FILENO, 0), err(STDERR_FILENO, 0);
  cli::Console console{out, err};
  const Result<std::size_t> pairs = measure::run(argv + 1, argc - 1, console);
  if (!pairs.ok()) return cli::report(console, pairs.error());
  return *pairs > 0 ? 0 : 1;
}
