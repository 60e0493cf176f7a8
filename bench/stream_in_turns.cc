// SPDX-License-Identifier: Apache-2.0
// A single stream of the load generator against plain runs of the same loaded session, in turns,
// block by block, in several processes. One line of JSON: for each process the median over its
// pairs of blocks of (median latency of the stream / median of the plain runs), and their geometric
// mean with its 95 % interval (Student's t on logarithms; null below two processes). Which of a
// pair comes first alternates.
//
//   build/bench/ridge_stream_in_turns MODEL RUNTIME THREADS PROCESSES SECONDS [NAME=SIZE...]
//   build/bench/ridge_stream_in_turns zoo:squeezenet1_1 ort 1 6 10
//
// SECONDS are of each process. Both run the same inputs. A stream's latency counts from the end of
// the query before it, so it has the generator's share of the time in it; a plain run is what ridge
// profile calls an unprofiled one.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/descriptor_sink.h"
#include "cli/flags/sizes.h"
#include "cli/measuring_environment.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "runtime/child/child.h"
#include "runtime/load/query_log.h"
#include "session/workbench.h"
#include "stats/normal.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

/// Duration of a block: short against changes of the clock rate, long against its own warm-up.
constexpr double kBlockNs = 100e6;
constexpr std::uint32_t kWarmUp = 5;

struct Asked {
  double seconds = 10;
  std::uint32_t processes = 5;
};

/// A loaded session with one sample, which is also its input.
class Session {
 public:
  static Result<Session> start(const analysis::Resolved& resolved, const Request& request) {
    const Material material =
        TRY(prepare(resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
    const runtime::Samples samples =
        TRY(samples_of(resolved, material.copy, request.inputs, request.seed, 1));
    Started started = TRY(measure::start(request.runtime, material));
    TRY(started.runtime.set_samples(started.session, samples));
    return Session(std::move(started));
  }

  /// Median of `runs` plain runs.
  Result<double> plain(std::uint32_t runs) {
    const runtime::Plan plan{
        .warmup_runs = kWarmUp, .profiled_per_round = 0, .min_rounds = runs, .max_rounds = runs};
    const runtime::Measurement measured = TRY(started_.runtime.measure(started_.session, plan));
    std::vector<double> times;
    for (const runtime::Sample& s : measured.samples)
      if (s.mode == runtime::Mode::kUnprofiled) times.push_back(static_cast<double>(s.wall.count));
    return stats::median(times);
  }
  /// Median latency of as many queries one after the other.
  Result<double> stream(std::uint32_t queries) {
    const scenario::Scenario s{.warmup_runs = kWarmUp,
                               .min_duration = Nanos{0},
                               .min_queries = queries,
                               .max_queries = queries};
    const runtime::QueryLog log = TRY(runtime::QueryLog::make(queries, 1));
    TRY(started_.runtime.generate(started_.session, s, log));
    std::vector<double> times;
    for (const scenario::Query& q : TRY(log.queries()))
      times.push_back(static_cast<double>(q.latency_ns()));
    return stats::median(times);
  }

 private:
  explicit Session(Started started) : started_(std::move(started)) {}
  Started started_;
};

struct Pair {
  double stream = 0, plain = 0;
};

/// Blocks in turns in one process, until its time is over.
Result<std::vector<Pair>> one_process(const analysis::Resolved& resolved, const Request& request,
                                      double seconds) {
  Session session = TRY(Session::start(resolved, request));
  const double alone = TRY(session.plain(20));
  const auto runs = static_cast<std::uint32_t>(std::clamp(kBlockNs / alone, 5.0, 1e6));
  std::vector<Pair> out;
  const Nanos end = steady_clock().now() + Nanos{static_cast<std::int64_t>(seconds * 1e9)};
  while (out.size() < 2 || steady_clock().now() < end) {
    Pair pair;
    const bool stream_first = out.size() % 2 == 0;
    if (stream_first) pair.stream = TRY(session.stream(runs));
    pair.plain = TRY(session.plain(runs));
    if (!stream_first) pair.stream = TRY(session.stream(runs));
    out.push_back(pair);
  }
  return out;
}

/// Half the width of the 95 % interval of the mean.
double half_width(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  for (const double v : values) squares += (v - sum / n) * (v - sum / n);
  return stats::student_quantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n);
}

void print(const std::vector<double>& ratios, std::size_t pairs, double plain_ns) {
  std::vector<double> logs;
  for (const double r : ratios) logs.push_back(std::log(r));
  double mean = 0;
  for (const double log : logs) mean += log / static_cast<double>(logs.size());
  std::string ci95 = "null";
  if (logs.size() > 1) {
    const double half = half_width(logs);
    ci95 = fmt::format("[{:.5f},{:.5f}]", std::exp(mean - half), std::exp(mean + half));
  }
  fmt::print(R"({{"ratio":{:.5f},"ci95":{},"processes":[{:.5f}],"pairs":{},"plain_ns":{:.0f}}})"
             "\n",
             std::exp(mean), ci95, fmt::join(ratios, ","), pairs, plain_ns);
}

Result<void> run(const std::string& model, const session::MeasureSpec& spec, const Asked& asked,
                 cli::Console& console) {
  const cli::ConsoleEnvironment environment(console);
  const session::Workbench bench = TRY(session::make_workbench(model, spec, *environment));
  const session::Point point = session::points_of(spec).at(0);
  const analysis::Resolved resolved = TRY(bench.resolve(point));
  const Request request = TRY(bench.request(point));
  std::vector<double> ratios, plain;
  std::size_t pairs = 0;
  for (std::uint32_t p = 0; p < asked.processes; ++p) {
    std::vector<double> own;
    for (const Pair& pair : TRY(one_process(resolved, request, asked.seconds))) {
      own.push_back(pair.stream / pair.plain);
      plain.push_back(pair.plain);
    }
    pairs += own.size();
    ratios.push_back(stats::median(own));
  }
  print(ratios, pairs, stats::median(plain));
  return {};
}

Result<void> run(char** argv, int count, cli::Console& console) {
  session::MeasureSpec spec;
  spec.runtimes = {argv[1]};
  spec.threads = {std::max(1, std::atoi(argv[2]))};
  spec.sizes = {TRY(cli::single_point(TRY(cli::parse_sizes({argv + 5, argv + count}, {}))))};
  const Asked asked{.seconds = std::atof(argv[4]),
                    .processes = static_cast<std::uint32_t>(std::max(1, std::atoi(argv[3])))};
  return run(argv[0], spec, asked, console);
}

}  // namespace
}  // namespace ridge::measure

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  if (argc < 6) {
    fmt::print(stderr, "usage: {} MODEL RUNTIME THREADS PROCESSES SECONDS [NAME=SIZE...]\n",
               argv[0]);
    return 2;
  }
  cli::DescriptorSink out(STDOUT_FILENO, 0), err(STDERR_FILENO, 0);
  cli::Console console{out, err};
  const Result<void> done = measure::run(argv + 1, argc - 1, console);
  return done.ok() ? 0 : cli::report(console, done.error());
}
