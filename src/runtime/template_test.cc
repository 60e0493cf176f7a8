// SPDX-License-Identifier: Apache-2.0
// Templates and their copies, with a runtime that misbehaves (testing/faulty_plugin.cc). With real
// runtimes: ort/ort_template_test.cc, openvino/openvino_template_test.cc.
#include "runtime/template.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/messages.h"
#include "runtime/opening.h"
#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

Options misbehaving(Entries entries = {}) {
  return {.plugin = expect_ok(find_plugin("faulty")), .entries = std::move(entries)};
}

const LoadRequest kModel{.model = "model", .weights = {}, .form = Form::kOriginal};

Result<Template> started(const Options& options) { return Template::start(options, kModel); }

Runtime copy_of(Template& made, const Options& options) {
  return std::move(expect_ok(Runtime::adopt(options, expect_ok(made.fork()))).runtime);
}

/// State of a process: 'R', 'S', 'Z', ...; nullopt if there is none of that number.
std::optional<char> state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return std::nullopt;
  return text[name_end + 2];
}

/// Waits for the end of a process that is nobody's child here; it must have a pidfd.
bool ends(const ipc::Descriptor& handle) {
  pollfd ended{handle.get(), POLLIN, 0};
  return ::poll(&ended, 1, 20'000) == 1;
}

ipc::Descriptor handle_of(pid_t process) {
  return ipc::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

/// Waits until its parent has collected a process.
bool is_collected(pid_t process) {
  for (int i = 0; i < 4000 && state_of(process); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return !state_of(process);
}

TEST(Template, CopiesRunAndMeasureLikeASpawnedRuntime) {
  const Options options = misbehaving();
  Template made = expect_ok(started(options));
  EXPECT_EQ(made.info().name, "Faulty");
  for (int i = 0; i < 3; ++i) {
    auto [runtime, loaded] = expect_ok(Runtime::adopt(options, expect_ok(made.fork())));
    EXPECT_EQ(runtime.info().name, "Faulty");
    ASSERT_EQ(loaded.graph.layers.size(), 1U);
    const Inputs inputs =
        expect_ok(Inputs::make({{.name = "x", .type = onnx::DataType::kInt64, .dims = {2, 3}}}));
    expect_ok(runtime.set_inputs(loaded.session, inputs));
    const Outputs outputs = expect_ok(runtime.outputs(loaded.session));
    EXPECT_TRUE(std::ranges::equal(outputs.tensors.at(0).bytes, inputs.memory.bytes().first(48)));
    const Measurement m = expect_ok(
        runtime.measure(loaded.session, {.warmup_runs = 1, .min_rounds = 3, .max_rounds = 3}));
    EXPECT_EQ(m.profiled.size(), 3U);
    EXPECT_FALSE(m.failure.has_value());
    // What an ordinary child can do, a copy can: another model.
    EXPECT_TRUE(runtime.load({.model = "other", .weights = {}}).ok());
  }
  EXPECT_TRUE(made.alive());
}

TEST(Template, CopiesThatEndAreCollected) {
  const Options options = misbehaving();
  Template made = expect_ok(started(options));
  std::vector<pid_t> ended;
  for (int i = 0; i < 5; ++i) {
    Forked forked = expect_ok(made.fork());
    ended.push_back(forked.process);
    const Runtime runtime =
        std::move(expect_ok(Runtime::adopt(options, std::move(forked))).runtime);
    EXPECT_TRUE(runtime.alive());
  }
  for (const pid_t process : ended) EXPECT_TRUE(is_collected(process)) << process;
  EXPECT_TRUE(made.alive());
}

TEST(Template, ACopyEndsWithItsUserEvenIfNobodyAdoptsIt) {
  Template made = expect_ok(started(misbehaving()));
  pid_t process = 0;
  {
    const Forked forked = expect_ok(made.fork());
    process = forked.process;
    EXPECT_TRUE(state_of(process).has_value());
  }
  EXPECT_TRUE(is_collected(process));
}

TEST(Template, ACopyThatHangsEndsWithItsUser) {
  const Options options = misbehaving({{"fault", "hang"}, {"at", "resume"}});
  Template made = expect_ok(started(options));
  pid_t process = 0;
  {
    const Forked forked = expect_ok(made.fork());
    process = forked.process;
  }
  EXPECT_TRUE(is_collected(process));
}

TEST(Template, CopiesGoOnWithoutIt) {
  const Options options = misbehaving();
  for (const bool killed : {false, true}) {
    std::optional<Template> made = expect_ok(started(options));
    Runtime runtime = copy_of(*made, options);
    const pid_t process = made->process();
    const ipc::Descriptor handle = handle_of(process);
    if (killed) {
      ::kill(process, SIGKILL);
      EXPECT_TRUE(ends(handle));
      EXPECT_FALSE(made->alive());
    }
    made.reset();
    EXPECT_FALSE(state_of(process));
    const Measurement m =
        expect_ok(runtime.measure(1, {.warmup_runs = 1, .min_rounds = 3, .max_rounds = 3}));
    EXPECT_EQ(m.profiled.size(), 3U) << killed;
  }
}

TEST(Template, SaysHowACopyEnded) {
  const Options options = misbehaving({{"fault", "crash"}, {"at", "run"}});
  Template made = expect_ok(started(options));
  for (int i = 0; i < 2; ++i) {
    Runtime runtime = copy_of(made, options);
    const Result<Measurement> m = runtime.measure(1, {});
    ASSERT_FALSE(m.ok());
    EXPECT_EQ(m.error().text(),
              "error: the runtime crashed while running the model: its process was ended by signal "
              "11 (Segmentation fault)\n"
              "  faulty: about to crash\n"
              "  hint: try another library with --runtime-library, or --optimization basic; a "
              "plug-in of your own: docs/plug-in.md says how to debug it\n"
              "  [RIDGE-RT-0010]\n");
    EXPECT_FALSE(runtime.alive());
  }
}

TEST(Template, ACopyThatIsKilledIsAnErrorOfItsUserAlone) {
  const Options options = misbehaving();
  Template made = expect_ok(started(options));
  Forked forked = expect_ok(made.fork());
  const pid_t process = forked.process;
  Runtime first = std::move(expect_ok(Runtime::adopt(options, std::move(forked))).runtime);
  Runtime second = copy_of(made, options);
  ::kill(process, SIGKILL);
  EXPECT_EQ(first.measure(1, {}).error().text(),
            "error: the runtime's process was killed while running the model\n"
            "  hint: the system ends processes like this when memory runs out; choose a smaller "
            "batch or sequence\n"
            "  [RIDGE-RT-0013]\n");
  EXPECT_TRUE(second.measure(1, {.min_rounds = 1, .max_rounds = 1}).ok());
  EXPECT_TRUE(copy_of(made, options).alive());
}

TEST(Template, NobodyKnowsHowACopyEndedWhoseTemplateEndedBefore) {
  const Options options = misbehaving({{"fault", "exit"}, {"at", "run"}});
  std::optional<Template> made = expect_ok(started(options));
  Runtime runtime = copy_of(*made, options);
  made.reset();
  EXPECT_EQ(runtime.measure(1, {}).error().message(),
            "the runtime crashed while running the model: its process ended, and nobody told how");
}

TEST(Template, EndsACopyThatHangs) {
  Options options = misbehaving({{"fault", "hang"}, {"at", "run"}});
  options.silence = Nanos{300'000'000};
  Template made = expect_ok(started(options));
  Forked forked = expect_ok(made.fork());
  const pid_t process = forked.process;
  Runtime runtime = std::move(expect_ok(Runtime::adopt(options, std::move(forked))).runtime);
  EXPECT_EQ(runtime.measure(1, {}).error().code(), "RIDGE-RT-0011");
  EXPECT_TRUE(is_collected(process));
  EXPECT_TRUE(made.alive());
}

TEST(Template, EndsOneThatHangs) {
  for (const char* at : {"open", "quiesce", "load"}) {
    Options options = misbehaving({{"fault", "hang"}, {"at", at}});
    options.silence = Nanos{300'000'000};
    EXPECT_EQ(started(options).error().code(), "RIDGE-RT-0011") << at;
  }
  Options options = misbehaving();
  options.stopped = Nanos{400'000'000};
  Template made = expect_ok(started(options));
  ::kill(made.process(), SIGSTOP);
  const Result<Forked> forked = made.fork();
  ASSERT_FALSE(forked.ok());
  EXPECT_EQ(forked.error().text(),
            "error: the runtime's process was stopped while being copied, and did not continue for "
            "400.0 ms\n"
            "  hint: its process was killed; a process stopped with SIGSTOP must be resumed with "
            "SIGCONT\n"
            "  [RIDGE-RT-0017]\n");
  EXPECT_FALSE(made.alive());
  EXPECT_EQ(made.fork().error().code(), "RIDGE-RT-0012");
}

TEST(Template, ErrorsOfEachStepAreHandedOn) {
  for (const char* at : {"open", "quiesce", "load"})
    EXPECT_EQ(started(misbehaving({{"fault", "fail"}, {"at", at}})).error().text(),
              "error: it does not want to\n  hint: this is a test\n  [TEST-0001]\n")
        << at;
  for (const char* at : {"open", "quiesce", "load"})
    EXPECT_EQ(started(misbehaving({{"fault", "crash"}, {"at", at}})).error().code(),
              "RIDGE-RT-0010")
        << at;
  const Options options = misbehaving({{"fault", "fail"}, {"at", "resume"}});
  Template made = expect_ok(started(options));
  const Result<Runtime::Adopted> adopted = Runtime::adopt(options, expect_ok(made.fork()));
  ASSERT_FALSE(adopted.ok());
  EXPECT_EQ(adopted.error().code(), "TEST-0001");
}

TEST(Template, ARuntimeThatCannotBeCopiedSaysSo) {
  EXPECT_EQ(started({.plugin = expect_ok(find_plugin("plain"))}).error().text(),
            "error: a process of Plain cannot be copied\n"
            "  hint: its plug-in has no quiesce (runtime/abi.h); load the model in each process\n"
            "  [RIDGE-RT-0072]\n");
  EXPECT_EQ(started(misbehaving({{"fault", "thread"}, {"at", "load"}})).error().text(),
            "error: threads of Faulty are at work with the model loaded, so its process cannot be "
            "copied\n"
            "  there are 1 beside the one that loads\n"
            "  hint: load the model in each process, or try --threads 1\n"
            "  [RIDGE-RT-0073]\n");
}

TEST(Template, ACopyThatTheSystemRefusesIsAnError) {
  Template made = expect_ok(started(misbehaving({{"fault", "no_copy"}, {"at", "load"}})));
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(made.fork().error().text(),
              "error: the system does not copy the template's process: Resource temporarily "
              "unavailable\n"
              "  hint: check the limits on processes and memory (ulimit -u, cgroups); or load the "
              "model in this process\n"
              "  [RIDGE-RT-0074]\n");
  EXPECT_TRUE(made.alive());
}

TEST(Template, OneThatWasKilledSaysSo) {
  Template made = expect_ok(started(misbehaving()));
  const ipc::Descriptor handle = handle_of(made.process());
  ::kill(made.process(), SIGKILL);
  ASSERT_TRUE(ends(handle));
  EXPECT_EQ(made.fork().error().message(), "the runtime's process was killed while being copied");
  EXPECT_FALSE(made.alive());
  EXPECT_FALSE(made.memory().has_value());
}

/// Ridge's death is the end of its sockets; the channel alone would not be looked at here.
TEST(Template, OneThatHangsEndsWithRidge) {
  const Opening opening = expect_ok(Opening::of(misbehaving({{"fault", "hang"}, {"at", "open"}})));
  ipc::Process::Started started =
      expect_ok(ipc::Process::start("/proc/self/exe", kTemplateArgument));
  ipc::Channel channel(std::move(started.channel));
  expect_ok(channel.send(Kind::kOpen, encode(opening.call)));
  started.control.reset();
  const Nanos deadline = steady_clock().now() + Nanos{20'000'000'000};
  EXPECT_TRUE(started.process.wait(deadline).has_value());
}

TEST(Template, LeavesNothingInTheTemporaryFolder) {
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make(::testing::TempDir()));
  Options options = misbehaving();
  options.temporary = folder.path();
  {
    Template made = expect_ok(started(options));
    EXPECT_TRUE(copy_of(made, options).alive());
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Template, CallsOnTwoCopiesDoNotMix) {
  const Options options{.plugin = expect_ok(find_plugin("null"))};
  Template made = expect_ok(started(options));
  Runtime first = copy_of(made, options), second = copy_of(made, options);
  const auto give = [](Runtime& runtime, std::uint64_t seed) {
    Inputs inputs = expect_ok(
        Inputs::make({{.name = "x", .type = onnx::DataType::kFloat, .dims = {4}, .seed = seed}}));
    expect_ok(runtime.set_inputs(1, inputs));
    return inputs;
  };
  const Inputs one = give(first, 1), two = give(second, 2);
  EXPECT_TRUE(std::ranges::equal(expect_ok(first.outputs(1)).tensors.at(0).bytes,
                                 one.memory.bytes().first(16)));
  EXPECT_TRUE(std::ranges::equal(expect_ok(second.outputs(1)).tensors.at(0).bytes,
                                 two.memory.bytes().first(16)));
}

}  // namespace
}  // namespace ridge::runtime
