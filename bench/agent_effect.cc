// SPDX-License-Identifier: Apache-2.0
// The cost of an agent beside a measurement: runs of a model while `ridge agent` waits for work and
// tells that it lives, against runs while it is stopped (SIGSTOP), in turns, in several processes.
// One line of JSON: the median over pairs of blocks of (mean time of a run beside the agent / mean
// time beside the stopped one) with its 95 % interval, as ridge compare makes it (stats/change.h).
// Exit status 1: the whole interval lies above LIMIT, or there is none.
//
//   build/bench/ridge_agent_effect PROGRAM MODEL RUNTIME THREADS PROCESSES PAIRS LIMIT
//   build/bench/ridge_agent_effect build/ridge zoo:resnet50 ort 1 5 12 1.005
//
// A block lasts over a second, since the agent speaks once a second, and its mean is taken: the
// median would not see what happens to one run of many. PAIRS are of each process; which of a pair
// comes first alternates.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <numeric>

#include "cli/descriptor_sink.h"
#include "cli/measuring_environment.h"
#include "ipc/descriptor.h"
#include "lab/agent/frame.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "runtime/child/child.h"
#include "session/workbench.h"
#include "stats/change.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

constexpr double kBlockNs = 1.2e9;
constexpr std::uint32_t kWarmUp = 2;

/// An agent that was greeted and has nothing to do; what it says goes nowhere.
class Agent {
 public:
  static Result<Agent> start(const char* program) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return environment_error("RIDGE-BENCH-0001", "no pipe");
    Agent out;
    out.input_ = ipc::Descriptor(ends[1]);
    const ipc::Descriptor its(ends[0]);
    out.pid_ = ::fork();
    if (out.pid_ == 0) {
      ::dup2(its.get(), STDIN_FILENO);
      ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
      ::execl(program, program, "agent", nullptr);
      ::_exit(127);
    }
    const std::string hello = lab::greeting();
    const bool greeted = ::write(ends[1], hello.data(), hello.size()) == std::ssize(hello);
    ::sleep(3);  // it tells its facts
    if (!greeted || ::waitpid(out.pid_, nullptr, WNOHANG) != 0)
      return environment_error("RIDGE-BENCH-0002", "the agent has ended");
    return out;
  }
  Agent(Agent&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)), input_(std::move(other.input_)) {}
  Agent& operator=(Agent&&) = delete;
  ~Agent() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  void set_running(bool running) const { ::kill(pid_, running ? SIGCONT : SIGSTOP); }

 private:
  Agent() = default;
  pid_t pid_ = 0;
  ipc::Descriptor input_;
};

/// Mean time of a run, in ns.
Result<double> mean_run(Started& session, std::uint32_t runs) {
  const runtime::Plan plan{
      .warmup_runs = kWarmUp, .profiled_per_round = 0, .min_rounds = runs, .max_rounds = runs};
  const runtime::Measurement measured = TRY(session.runtime.measure(session.session, plan));
  std::vector<double> times;
  for (const runtime::Sample& s : measured.samples)
    if (s.mode == runtime::Mode::kUnprofiled) times.push_back(static_cast<double>(s.wall.count));
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

struct Blocks {
  std::vector<double> stopped, beside;
};

Result<Blocks> one_process(const analysis::Resolved& resolved, const Request& request,
                           const Agent& agent, int pairs) {
  const Material material =
      TRY(prepare(resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
  const runtime::Samples samples =
      TRY(samples_of(resolved, material.copy, request.inputs, request.seed, 1));
  Started session = TRY(start(request.runtime, material));
  TRY(session.runtime.set_samples(session.session, samples));
  const auto runs =
      static_cast<std::uint32_t>(std::clamp(kBlockNs / TRY(mean_run(session, 10)), 5.0, 1e6));
  Blocks out;
  for (int i = 0; i < pairs; ++i)
    for (const bool beside : {i % 2 == 0, i % 2 != 0}) {
      agent.set_running(beside);
      (beside ? out.beside : out.stopped).push_back(TRY(mean_run(session, runs)));
    }
  return out;
}

Result<bool> run(char** argv, cli::Console& console) {
  const Agent agent = TRY(Agent::start(argv[0]));
  session::MeasureSpec spec;
  spec.runtimes = {argv[2]};
  spec.threads = {std::max(1, std::atoi(argv[3]))};
  const std::string model = argv[1];
  const cli::ConsoleEnvironment environment(console);
  const session::Workbench bench = TRY(session::make_workbench(model, spec, *environment));
  const session::Point point = session::points_of(spec).at(0);
  const analysis::Resolved resolved = TRY(bench.resolve(point));
  const Request request = TRY(bench.request(point));
  std::vector<std::vector<double>> stopped, beside;
  for (int process = 0; process < std::max(1, std::atoi(argv[4])); ++process) {
    Blocks blocks = TRY(one_process(resolved, request, agent, std::max(1, std::atoi(argv[5]))));
    stopped.push_back(std::move(blocks.stopped));
    beside.push_back(std::move(blocks.beside));
  }
  const stats::Change change(stopped, beside, stats::Runs::kInTurns);
  const std::optional<stats::Interval> interval = change.ratio_interval(0.95);
  fmt::print(R"({{"ratio":{:.5f},"ci95":{},"pairs":{},"run_ns":{:.0f}}})"
             "\n",
             change.ratio(),
             interval ? fmt::format("[{:.5f},{:.5f}]", interval->lo, interval->hi) : "null",
             change.size(), stats::median(stopped.front()));
  return interval && interval->lo <= std::atof(argv[6]);
}

}  // namespace
}  // namespace ridge::measure

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  if (argc != 8) {
    fmt::print(stderr, "usage: {} PROGRAM MODEL RUNTIME THREADS PROCESSES PAIRS LIMIT\n", argv[0]);
    return 2;
  }
  cli::DescriptorSink out(STDOUT_FILENO, 0), err(STDERR_FILENO, 0);
  cli::Console console{out, err};
  const Result<bool> small = measure::run(argv + 1, console);
  if (!small.ok()) return cli::report(console, small.error());
  return *small ? 0 : 1;
}
