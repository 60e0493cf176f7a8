// SPDX-License-Identifier: Apache-2.0
// The child process, and the handling of runtimes that misbehave (testing/faulty_plugin.cc).
#include "runtime/runtime.h"
#include "runtime/paths.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "base/temporary_folder.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

Options faulty(Entries entries = {}) {
  Options options;
  options.plugin = find_plugin("faulty").value();
  options.entries = std::move(entries);
  return options;
}

constexpr Plan kShortRuntimePlan{.warmup_runs = 1, .min_rounds = 3, .max_rounds = 3};

/// Opens, loads and measures; returns the first error on the way.
Result<Measurement> measure(const Options& options, const Plan& plan = kShortRuntimePlan) {
  Runtime runtime = TRY(Runtime::spawn(options));
  const Loaded loaded = TRY(runtime.load({.model = "model", .weights = {}}));
  return runtime.measure(loaded.session, plan);
}

std::vector<Mode> modes(const Measurement& m) {
  std::vector<Mode> modes;
  for (const Sample& sample : m.samples) modes.push_back(sample.mode);
  return modes;
}

TEST(Runtime, MeasuresInsideTheChild) {
  const Measurement m = expect_ok(measure(faulty()));
  using enum Mode;
  EXPECT_EQ(modes(m), (std::vector<Mode>{kFirst, kWarmup, kUnprofiled, kProfiled, kProfiled,
                                         kUnprofiled, kUnprofiled, kProfiled}));
  EXPECT_FALSE(m.failure.has_value());
  EXPECT_FALSE(m.canceled);
  ASSERT_EQ(m.profiled.size(), 3U);
  EXPECT_EQ(m.profiled[1].sample, 4U);
}

/// Minimum CPU time of the workers of faulty_plugin.cc per run, by their own clocks.
TEST(Runtime, TellsWhatEachThreadDid) {
  if (kSanitized) GTEST_SKIP() << "sanitizers have a thread of their own";
  Plan plan = kShortRuntimePlan;
  plan.threads = true;
  const Measurement m = expect_ok(measure(faulty({{"burn", "2000,6000,1000"}}), plan));
  EXPECT_FALSE(m.failure.has_value());
  ASSERT_EQ(m.threads.size(), 3U);  // without the thread that listens for Ctrl-C
  EXPECT_EQ(m.threads[0].name, "ridge-runtime");
  int whole = 0;
  for (const DeepRun& run : m.deep) {
    const Sample& sample = m.samples[run.sample];
    if (sample.mode == Mode::kThreadPart) {
      EXPECT_EQ(run.thread_readings, 1U);
      EXPECT_TRUE(run.threads.empty());
      continue;
    }
    EXPECT_TRUE(sample.mode == Mode::kThread || sample.mode == Mode::kDeepest);
    EXPECT_EQ(run.thread_readings, 3U);
    ASSERT_EQ(run.threads.size(), 3U);
    std::int64_t sum = 0;
    for (const ThreadWork& work : run.threads) {
      constexpr std::int64_t kBurned[] = {2'000'000, 6'000'000, 1'000'000};
      EXPECT_GE(work.cpu_ns, kBurned[work.thread]);
      sum += work.cpu_ns;
    }
    EXPECT_GE(sum, sample.cpu.count);  // readings before and after the run include more
    ++whole;
  }
  EXPECT_EQ(whole, 2 * 3);
}

TEST(Runtime, CountsThePagesThatARunTouches) {
  if (kSanitized) GTEST_SKIP() << "sanitizers touch pages of their own";
  Plan plan = kShortRuntimePlan;
  plan.counters = true;
  const Measurement m = expect_ok(measure(faulty({{"touch", "500"}}), plan));
  const auto faults = std::find_if(m.counters.begin(), m.counters.end(),
                                   [](auto& c) { return c.name == "page-faults"; });
  ASSERT_NE(faults, m.counters.end());
  const auto number = static_cast<std::uint32_t>(faults - m.counters.begin());
  int seen = 0;
  for (const DeepRun& run : m.deep)
    for (const CounterValue& v : run.counters)
      if (v.counter == number) {
        EXPECT_GE(v.value, 500);
        EXPECT_LE(v.value, 500 + 64);  // needed by the process itself
        ++seen;
      }
  EXPECT_EQ(seen, 2 * 3);
}

TEST(Runtime, LevelsBelowTheLayersAreInNoRunThatIsTimed) {
  Plan plan = kShortRuntimePlan;
  plan.threads = plan.counters = true;
  const Measurement m = expect_ok(measure(faulty(), plan));
  for (const DeepRun& run : m.deep) EXPECT_GT(m.samples[run.sample].mode, Mode::kProfiled);
  std::map<Mode, int> runs;
  for (const Sample& s : m.samples) ++runs[s.mode];
  using enum Mode;
  for (const Mode mode :
       {kUnprofiled, kProfiled, kThreadPart, kThread, kCounterPart, kCounter, kDeepest})
    EXPECT_EQ(runs[mode], 3) << name(mode);
  EXPECT_EQ(m.profiled.size(), 2U * 3);
}

TEST(Runtime, NestsEventsAndKeepsNamesOnce) {
  const Measurement m = expect_ok(measure(faulty()));
  ASSERT_EQ(m.kernels.size(), 3U);
  EXPECT_EQ(m.kernels[0].name, "inner");
  EXPECT_EQ(m.kernels[1].type, "If");
  for (const ProfiledRun& run : m.profiled) {
    ASSERT_EQ(run.events.size(), 3U);
    EXPECT_EQ(run.model_run_ns, 99'000);
    EXPECT_EQ(run.events[0].parent, 1U);
    EXPECT_EQ(run.events[1].parent, kNone);
    EXPECT_EQ(run.events[1].duration_ns, 39'000);
    EXPECT_EQ(run.events[1].exclusive_ns, 29'000);  // less the window of `inner`
    EXPECT_EQ(run.events[2].exclusive_ns, 19'000);
  }
}

TEST(Runtime, HandsOverLayersAndOutputs) {
  Runtime runtime = expect_ok(Runtime::spawn(faulty()));
  const Loaded loaded = expect_ok(runtime.load({.model = "model", .weights = {}}));
  ASSERT_EQ(loaded.graph.layers.size(), 1U);
  EXPECT_EQ(loaded.graph.layers[0].originals, (std::vector<std::string>{"a", "b"}));
  const Inputs inputs =
      expect_ok(Inputs::make({{.name = "x", .type = onnx::DataType::kInt64, .dims = {2, 3}}}));
  expect_ok(runtime.set_inputs(loaded.session, inputs));
  const Outputs outputs = expect_ok(runtime.outputs(loaded.session));
  ASSERT_EQ(outputs.tensors.size(), 1U);
  EXPECT_EQ(outputs.tensors[0].type.name, "y");
  EXPECT_EQ(outputs.tensors[0].type.dims, (std::vector<std::int64_t>{2, 3}));
  const auto given = inputs.memory.bytes().first(48);
  EXPECT_TRUE(std::equal(given.begin(), given.end(), outputs.tensors[0].bytes.begin(),
                         outputs.tensors[0].bytes.end()));
}

TEST(Runtime, KeepsWhatWasMeasuredBeforeACrash) {
  const Measurement m =
      expect_ok(measure(faulty({{"fault", "crash"}, {"at", "run"}, {"after", "400"}}),
                        {.warmup_runs = 0, .min_rounds = 1000}));
  EXPECT_GT(m.samples.size(), 0U);
  EXPECT_LE(m.samples.size(), 400U);
  ASSERT_TRUE(m.failure.has_value());
  EXPECT_EQ(
      m.failure->text(),
      "error: the runtime crashed while running the model: its process was ended by signal "
      "11 (Segmentation fault)\n"
      "  faulty: about to crash\n"
      "  hint: try another library with --runtime-library, or --optimization basic; a plug-in "
      "of your own: docs/plug-in.md says how to debug it\n"
      "  [RIDGE-RT-0010]\n");
}

TEST(Runtime, CrashWhileLoadingIsAnErrorAndTheNextRuntimeWorks) {
  Runtime runtime = expect_ok(Runtime::spawn(faulty({{"fault", "crash"}, {"at", "load"}})));
  const Result<Loaded> loaded = runtime.load({.model = "model", .weights = {}});
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), "RIDGE-RT-0010");
  EXPECT_FALSE(runtime.alive());
  EXPECT_EQ(runtime.load({.model = "model", .weights = {}}).error().code(), "RIDGE-RT-0012");
  EXPECT_TRUE(measure(faulty()).ok());
}

TEST(Runtime, SaysWithWhichStatusItsProcessExited) {
  const Result<Runtime> runtime = Runtime::spawn(faulty({{"fault", "exit"}, {"at", "open"}}));
  ASSERT_FALSE(runtime.ok());
  EXPECT_EQ(runtime.error().message(),
            "the runtime crashed while opening it: its process exited with status 7");
}

TEST(Runtime, EndsARuntimeThatHangs) {
  Options options = faulty({{"fault", "hang"}, {"at", "run"}});
  options.silence = Nanos{300'000'000};
  const Result<Measurement> m = measure(options);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().text(),
            "error: the runtime hangs while running the model: it sent no message for 300.0 ms\n"
            "  hint: its process was killed; try fewer threads, or --optimization basic\n"
            "  [RIDGE-RT-0011]\n");
}

TEST(Runtime, ARunThatComputesForLongDoesNotHang) {
  Options options = faulty({{"burn", "400000"}});
  options.silence = Nanos{100'000'000};
  options.busy_silence = Nanos{60'000'000'000};
  EXPECT_EQ(expect_ok(measure(options, {.warmup_runs = 0, .min_rounds = 1, .max_rounds = 1}))
                .profiled.size(),
            1U);
  options.busy_silence = Nanos{200'000'000};
  EXPECT_EQ(measure(options).error().code(), "RIDGE-RT-0011");
}

TEST(Runtime, EndsAProcessThatStaysStopped) {
  Options options = faulty({{"fault", "stop"}, {"at", "run"}});
  options.stopped = Nanos{400'000'000};
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  const Result<Measurement> m = measure(options);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().text(),
            "error: the runtime's process was stopped while running the model, and did not "
            "continue for 400.0 ms\n"
            "  hint: its process was killed; a process stopped with SIGSTOP must be resumed with "
            "SIGCONT\n"
            "  [RIDGE-RT-0017]\n");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].ends_with(" is stopped; unless it continues, it is ended in 400.0 ms"))
      << warnings[0];
}

TEST(Runtime, AStoppedProcessThatContinuesGoesOn) {
  Options options = faulty({{"fault", "stop"}, {"at", "run"}, {"after", "2"}, {"once", "1"}});
  int warnings = 0;
  options.warn = [&](const std::string& text) {
    ++warnings;
    constexpr std::string_view kBefore = "the runtime's process ";
    EXPECT_TRUE(text.starts_with(kBefore));
    ::kill(std::atoi(text.c_str() + kBefore.size()), SIGCONT);
  };
  const Measurement m = expect_ok(measure(options));
  EXPECT_FALSE(m.failure.has_value());
  EXPECT_EQ(m.profiled.size(), 3U);
  EXPECT_EQ(warnings, 1);
}

TEST(Runtime, LimitsMemoryAndSaysWhenItRunsOut) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need the address space";
  Options options = faulty({{"fault", "allocate"}, {"at", "run"}});
  options.memory_limit = Bytes{std::int64_t{1} << 30};
  const Result<Measurement> m = measure(options);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code(), "RIDGE-RT-0016");
  EXPECT_EQ(m.error().message(), "the runtime ran out of memory while running the model");
}

TEST(Runtime, PassesOnErrorsWithTheirClass) {
  const Result<Measurement> m = measure(faulty({{"fault", "fail"}, {"at", "run"}}));
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().error_class(), ErrorClass::kInput);
  EXPECT_EQ(m.error().text(),
            "error: it does not want to\n  hint: this is a test\n  [TEST-0001]\n");
  EXPECT_EQ(measure(faulty({{"fault", "memory"}, {"at", "load"}})).error().error_class(),
            ErrorClass::kEnvironment);
}

TEST(Runtime, AFailingRunEndsTheMeasurementAndTheRuntimeLivesOn) {
  Runtime runtime =
      expect_ok(Runtime::spawn(faulty({{"fault", "fail"}, {"at", "run"}, {"after", "5"}})));
  const Loaded loaded = expect_ok(runtime.load({.model = "model", .weights = {}}));
  const Measurement m = expect_ok(runtime.measure(loaded.session, {.min_rounds = 100}));
  EXPECT_EQ(m.samples.size(), 5U);
  ASSERT_TRUE(m.failure.has_value());
  EXPECT_EQ(m.failure->code(), "TEST-0001");
  EXPECT_TRUE(runtime.alive());
  EXPECT_TRUE(runtime.load({.model = "model", .weights = {}}).ok());
}

TEST(Runtime, RefusesWhatIsNotItsProtocol) {
  const Result<Measurement> m = measure(faulty({{"fault", "garbage"}, {"at", "run"}}));
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code(), "RIDGE-RT-0014");
}

TEST(Runtime, InterruptionKeepsWhatWasMeasured) {
  std::atomic<bool> interrupted = false;
  Options options = faulty();
  options.interrupted = &interrupted;
  Runtime runtime = expect_ok(Runtime::spawn(options));
  const Loaded loaded = expect_ok(runtime.load({.model = "model", .weights = {}}));
  const Measurement m = expect_ok(
      runtime.measure(loaded.session, {.min_rounds = 100'000, .max_rounds = 100'000},
                      [&](const Progress& p) { interrupted = interrupted || p.rounds_done > 2; }));
  EXPECT_TRUE(m.canceled);
  EXPECT_FALSE(m.failure.has_value());
  EXPECT_GT(m.samples.size(), 6U);
  EXPECT_EQ(runtime.load({.model = "model", .weights = {}}).error().code(), "RIDGE-RT-0015");
}

TEST(Runtime, InterruptionEndsARunThatDoesNotListen) {
  std::atomic<bool> interrupted = true;
  Options options = faulty({{"fault", "hang"}, {"at", "open"}});
  options.interrupted = &interrupted;
  EXPECT_EQ(Runtime::spawn(options).error().text(), "error: interrupted\n  [RIDGE-RT-0015]\n");
}

TEST(Runtime, SaysWhichPlugInIsMissingOrIsNone) {
  EXPECT_EQ(find_plugin("abacus").error().message(),
            "ridge was built without the runtime 'abacus'");
  Options options = faulty();
  options.plugin = "/nowhere/ridge_ort.so";
  EXPECT_EQ(Runtime::spawn(options).error().code(), "RIDGE-RT-0003");
  options.plugin = "libm.so.6";
  EXPECT_EQ(Runtime::spawn(options).error().code(), "RIDGE-RT-0008");
  options.plugin = expect_ok(find_plugin("newer"));
  EXPECT_EQ(Runtime::spawn(options).error().text(),
            "error: " + options.plugin +
                ": the file is not a runtime plug-in for version 1 of the interface\n"
                "  it is for version 2\n"
                "  hint: build the plug-in against this version of abi.h\n"
                "  [RIDGE-RT-0004]\n");
  options = faulty();
  options.program = "/nowhere/ridge";
  EXPECT_EQ(Runtime::spawn(options).error().text(),
            "error: cannot start the runtime's process: /nowhere/ridge: No such file or directory\n"
            "  [RIDGE-RT-0001]\n");
  options.program = "/bin/true";  // starts, but is not ridge
  EXPECT_EQ(Runtime::spawn(options).error().code(), "RIDGE-RT-0010");
}

TEST(Runtime, LeavesNothingInTheTemporaryFolder) {
  const std::filesystem::path folder = ::testing::TempDir() + "ridge-runtime-test";
  std::filesystem::create_directory(folder);
  Options options = faulty({{"fault", "crash"}, {"at", "load"}});
  options.temporary = folder.string();
  EXPECT_FALSE(measure(options).ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(LibraryFolders, UsersChoiceThenPlugInThenCache) {
  EXPECT_EQ(library_folders(*known_runtime("ort"), {.root = "/opt/ort"}),
            (std::vector<std::string>{"/opt/ort/lib", "@plugin"}));
  EXPECT_EQ(library_folders(*known_runtime("ort"), {.prefix = "/nowhere", .cache = "/nowhere"}),
            (std::vector<std::string>{"@plugin"}));
}

TEST(LibraryFolders, TheNewestVersionOfTheCacheComesFirst) {
  const TemporaryFolder cache = expect_ok(TemporaryFolder::make("/tmp"));
  const std::string below = cache.path() + "/ridge/onnxruntime/";
  for (const char* version : {"1.9.0", "1.31.1", "1.10.2"})
    std::filesystem::create_directories(below + version);
  EXPECT_EQ(library_folders(*known_runtime("ort"), {.cache = cache.path()}),
            (std::vector<std::string>{"@plugin", below + "1.31.1/lib", below + "1.10.2/lib",
                                      below + "1.9.0/lib"}));
}

TEST(LibraryFolders, PackagesOfThePrefixComeBeforeThePlugIn) {
  const TemporaryFolder prefix = expect_ok(TemporaryFolder::make("/tmp"));
  for (const char* name : {"python3.9", "python3.11", "perl5"})
    std::filesystem::create_directories(prefix.path() + "/lib/" + name);
  const auto capi = [&](const std::string& name) {
    return prefix.path() + "/lib/" + name + "/site-packages/onnxruntime/capi";
  };
  EXPECT_EQ(
      library_folders(*known_runtime("ort"), {.root = "/opt/ort", .prefix = prefix.path()}),
      (std::vector<std::string>{"/opt/ort/lib", capi("python3.11"), capi("python3.9"), "@plugin"}));
}

TEST(Plugins, OfAFolderAreLookedForThereAlone) {
  EXPECT_EQ(find_plugin("faulty", "/nowhere").error().evidence(), "no ridge_faulty.so in /nowhere");
}

}  // namespace
}  // namespace ridge::runtime
