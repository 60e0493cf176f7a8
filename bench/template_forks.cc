// SPDX-License-Identifier: Apache-2.0
// What it costs until a session is ready, in turns: a process that loads the model's file itself,
// with its weights inside and outside; one that loads the prepared model, packed and not; a copy of
// a template. Time of the wall, and of the processors, in milliseconds: the median and its 95 %
// interval; then how often longer each takes than a copy, the first result of a copy beside a run
// that is warm, and the memory of copies that have all run (PSS, their template included).
//
//   build/bench/ridge_template_forks [RUNTIME [THREADS [TRIES [NETWORK...]]]]
//
// The files are in the page cache: each is read once before. A file's load is timed from before
// posix_spawn, library and environment included; so is that of a prepared model.
#include <fmt/core.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/number.h"
#include "base/temporary_folder.h"
#include "ipc/process.h"
#include "ipc/process_memory.h"
#include "onnx/writer.h"
#include "runtime/child/child.h"
#include "runtime/child/plugin.h"
#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/serve/template.h"
#include "runtime/template.h"
#include "runtime/testing/kept_model.h"
#include "stats/change.h"
#include "stats/samples.h"
#include "zoo/zoo.h"

namespace ridge::runtime {
namespace {

constexpr std::string_view kOwnLoad = "--own-load";
constexpr double kMillisecond = 1e6;
constexpr Nanos kForever{std::numeric_limits<std::int64_t>::max()};

/// A process that does nothing but load a file: --own-load PLUGIN FOLDER THREADS FILE. It says when
/// the session was ready and the processor time until then.
int own_load(const char* const* arguments) {
  const Result<const RidgeRuntimeApi*> api = open_plugin(arguments[0]);
  if (!api.ok()) return 1;
  const char* const folders[] = {arguments[1]};
  RidgeOpenOptions options{};
  options.size = sizeof(options);
  options.threads = static_cast<std::uint32_t>(std::atoi(arguments[2]));
  options.folders = folders;
  options.folder_count = 1;
  RidgeError error = no_error();
  RidgeRuntime* runtime = nullptr;
  RidgeSession* session = nullptr;
  RidgeModel model{};
  model.size = sizeof(model);
  model.descriptor = -1;
  model.path = arguments[3];
  const bool ready = check((*api)->open(&options, &runtime, &error), error).ok() &&
                     check((*api)->load(runtime, &model, &session, &error), error).ok();
  timespec cpu{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  fmt::print("{}\n{} {}\n", error.message, steady_clock().now().count,
             cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec);
  std::fflush(stdout);
  ::_exit(ready ? 0 : 1);
}

/// Times of one kind of load, a value for each try, in milliseconds.
struct Series {
  std::vector<double> wall, cpu;
};

struct Bench {
  Options options;
  std::string folder;  ///< the one of the runtime's library
  std::string inline_file, external_file;
  testing::KeptModel kept;
  bool prepares = false;
  std::map<std::string, Series> series;

  void add(const std::string& kind, Nanos wall, Nanos cpu) {
    series[kind].wall.push_back(static_cast<double>(wall.count) / kMillisecond);
    series[kind].cpu.push_back(static_cast<double>(cpu.count) / kMillisecond);
  }
  Result<void> own(const std::string& kind, const std::string& file);
  Result<void> prepared(const std::string& kind, Form form);
  Result<void> copy(Template& made);
};

Result<void> Bench::own(const std::string& kind, const std::string& file) {
  const Nanos start = steady_clock().now();
  ipc::Process process =
      TRY(ipc::Process::start_command({"/proc/self/exe", std::string(kOwnLoad), options.plugin,
                                       folder, std::to_string(options.threads), file}));
  const std::optional<int> status = process.wait(kForever);
  const std::string words = process.last_words();
  const std::string last = words.substr(words.rfind('\n') + 1);
  const std::size_t blank = last.find(' ');
  const auto ready = whole_number(std::string_view(last).substr(0, blank));
  const auto cpu = whole_number(std::string_view(last).substr(std::min(blank + 1, last.size())));
  if (status != 0 || !ready || !cpu) return bug("no load of its own: " + words, "own");
  add(kind, Nanos{*ready} - start, Nanos{*cpu});
  return {};
}

Result<void> Bench::prepared(const std::string& kind, Form form) {
  const Nanos start = steady_clock().now();
  Runtime runtime = TRY(Runtime::spawn(options));
  TRY(runtime.load(kept.request(form)));
  add(kind, steady_clock().now() - start, runtime.cpu_time().value_or(Nanos{}));
  return {};
}

Nanos cpu_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return Nanos{time.tv_sec * 1'000'000'000 + time.tv_nsec};
}

Inputs inputs_for(const Loaded& loaded) {
  std::vector<InputSpec> specs;
  for (const TensorType& input : loaded.graph.inputs) {
    InputSpec spec{.name = input.name, .type = input.type, .dims = input.dims, .bound = 30'000};
    for (std::size_t i = 0; i < spec.dims.size(); ++i)
      if (spec.dims[i] < 0) spec.dims[i] = i == 0 ? 1 : 128;
    specs.push_back(std::move(spec));
  }
  Result<Inputs> inputs = Inputs::make(specs);
  return inputs.ok() ? std::move(*inputs) : Inputs{};
}

Result<void> Bench::copy(Template& made) {
  const Nanos before = cpu_of(made.process());
  const Nanos start = steady_clock().now();
  Runtime::Adopted copy = TRY(Runtime::adopt(options, TRY(made.fork())));
  const Nanos ready = steady_clock().now();
  const Nanos cpu = copy.runtime.cpu_time().value_or(Nanos{}) + (cpu_of(made.process()) - before);
  add("copy of a template", ready - start, cpu);
  const Inputs inputs = inputs_for(copy.loaded);
  TRY(copy.runtime.set_inputs(copy.loaded.session, inputs));
  // The first run of a measurement is the first run of the process.
  const Measurement m = TRY(copy.runtime.measure(
      copy.loaded.session,
      {.warmup_runs = 2, .profiled_per_round = 0, .min_rounds = 3, .max_rounds = 3}));
  std::vector<double> warm;
  for (const Sample& s : m.samples)
    if (s.mode == Mode::kUnprofiled) warm.push_back(static_cast<double>(s.wall.count));
  add("first run of a copy", m.samples.at(0).wall, {});
  add("run that is warm", Nanos{static_cast<std::int64_t>(stats::median(warm))}, {});
  return {};
}

std::string with_interval(const std::vector<double>& values) {
  const auto interval = stats::median_interval(values);
  if (!interval) return fmt::format("{:.2f}", stats::median(values));
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", stats::median(values), interval->lo, interval->hi);
}

void print_speedups(const Bench& bench) {
  const Series& copy = bench.series.at("copy of a template");
  for (const auto& [kind, times] : bench.series) {
    if (kind.find("run") != std::string::npos || kind.starts_with("copy")) continue;
    const std::vector<std::vector<double>> copies = {copy.wall}, others = {times.wall};
    const stats::Change change(copies, others, stats::Runs::kInTurns);
    const auto interval = change.ratio_interval(0.95);
    fmt::print("  a copy is ready {:.0f} times sooner than {} [{:.0f}, {:.0f}]\n", change.ratio(),
               kind, interval ? interval->lo : 0, interval ? interval->hi : 0);
  }
}

Result<void> print_memory(const Bench& bench, Template& made) {
  std::vector<Runtime::Adopted> copies;
  std::vector<pid_t> processes;
  for (const std::size_t count : {std::size_t{1}, std::size_t{4}, std::size_t{8}}) {
    while (copies.size() < count) {
      Forked forked = TRY(made.fork());
      processes.push_back(forked.process);
      copies.push_back(TRY(Runtime::adopt(bench.options, std::move(forked))));
      Runtime::Adopted& copy = copies.back();
      const Inputs inputs = inputs_for(copy.loaded);
      TRY(copy.runtime.set_inputs(copy.loaded.session, inputs));
      TRY(copy.runtime.outputs(copy.loaded.session));
    }
    const auto of_template = made.memory().value_or(ipc::ProcessMemory{});
    std::int64_t sum = of_template.proportional.count, own = 0;
    for (const pid_t process : processes) {
      const auto memory = ipc::memory_of(process).value_or(ipc::ProcessMemory{});
      sum += memory.proportional.count;
      own = std::max(own, memory.own.count);
    }
    fmt::print("  {} copies and their template: {} MB; {} MB of a copy's own at most\n", count,
               sum / 1'000'000, own / 1'000'000);
  }
  return {};
}

Result<void> run(const std::string& network, Options options, int tries) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const onnx::Document document = TRY(zoo::make(network));
  Bench bench{.options = options,
              .folder = options.plugin.substr(0, options.plugin.rfind('/')),
              .inline_file = folder.path() + "/inline.onnx",
              .external_file = folder.path() + "/external.onnx",
              .kept = {},
              .series = {}};
  TRY(onnx::write_file(document, bench.inline_file, {.durability = Durability::kUnsynced}));
  TRY(onnx::write_file(document, bench.external_file,
                       {.weights = onnx::Weights::kExternal,
                        .location = "external.bin",
                        .durability = Durability::kUnsynced}));
  const std::string bytes = TRY(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
  onnx::WeightLocator locator(document);
  std::vector<Weight> weights;
  for (const onnx::Tensor& tensor : document.model.graph.initializers)
    if (tensor.storage != onnx::Storage::kInline)
      weights.push_back(TRY(weight_of(locator, tensor.name, tensor)));
  LoadRequest request{.model = bytes, .weights = weights, .dump = Dump::kNothing};
  Runtime preparing = TRY(Runtime::spawn(options));
  bench.prepares = (preparing.info().capabilities & RIDGE_CAN_PREPARE) != 0;
  if (bench.prepares) {
    bench.kept = TRY(testing::keep(TRY(preparing.prepare(request))));
    request = bench.kept.request(Form::kPrepared);
  }
  Template made = TRY(Template::start(options, request));
  double load = 0;
  ::getloadavg(&load, 1);
  const auto memory = made.memory().value_or(ipc::ProcessMemory{});
  fmt::print(
      "{}, {} {}, {} threads, {} tries, load average {:.2f}; template: {} MB private, {} MB "
      "of it in huge pages\n",
      network, made.info().name, made.info().version, options.threads, tries, load,
      memory.anonymous.count / 1'000'000, memory.anonymous_huge.count / 1'000'000);
  for (int i = -1; i < tries; ++i) {  // the first fills the page cache
    TRY(bench.own("own load, weights inside", bench.inline_file));
    if ((made.info().capabilities & RIDGE_TAKES_WEIGHTS) != 0)
      TRY(bench.own("own load, weights outside", bench.external_file));
    if (bench.prepares) {
      TRY(bench.prepared("prepared, packed", Form::kPrepared));
      TRY(bench.prepared("prepared, unpacked", Form::kUnpacked));
    }
    TRY(bench.copy(made));
    if (i < 0) bench.series.clear();
  }
  fmt::print("  {:<26} {:>30} {:>30}\n", "ms until ready", "wall", "processors");
  for (const auto& [kind, times] : bench.series)
    fmt::print("  {:<26} {:>30} {:>30}\n", kind, with_interval(times.wall),
               kind.find("run") == std::string::npos ? with_interval(times.cpu) : "");
  print_speedups(bench);
  TRY(print_memory(bench, made));
  std::fflush(stdout);
  return {};
}

}  // namespace
}  // namespace ridge::runtime

int main(int argc, char** argv) {
  using namespace ridge;
  using namespace ridge::runtime;
  if (argc > 1 && argv[1] == kChildArgument) return child_main();
  if (argc > 1 && argv[1] == kTemplateArgument) return template_main();
  if (argc > 5 && argv[1] == kOwnLoad) return own_load(argv + 2);
  const Result<std::string> plugin = find_plugin(argc > 1 ? argv[1] : "ort");
  if (!plugin.ok()) {
    fmt::print(stderr, "{}", plugin.error().text());
    return 1;
  }
  Options options{.plugin = *plugin};
  options.threads = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 1);
  const int tries = argc > 3 ? std::atoi(argv[3]) : 10;
  std::vector<std::string> networks(argv + std::min(argc, 4), argv + argc);
  if (networks.empty()) networks = {"resnet50", "vgg16", "bert_base", "gpt2", "swin_t"};
  int status = 0;
  for (const std::string& network : networks) {
    const Result<void> done = runtime::run(network, options, tries);
    if (done.ok()) continue;
    fmt::print(stderr, "{}: {}", network, done.error().text());
    status = 1;
  }
  return status;
}
