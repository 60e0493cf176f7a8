// SPDX-License-Identifier: Apache-2.0
// Copies of a process with a model loaded in a real ONNX Runtime.
#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "ipc/process_memory.h"
#include "runtime/runtime.h"
#include "runtime/template.h"
#include "runtime/testing/detached.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/kept_model.h"
#include "runtime/testing/models.h"
#include "zoo/zoo.h"

namespace ridge::runtime {
namespace {

using testing::Detached;
using testing::KeptModel;

std::string outputs_of_own_load(const Detached& model, const Options& options) {
  Runtime runtime = expect_ok(Runtime::spawn(options));
  const Loaded loaded = expect_ok(runtime.load(model.request()));
  return testing::output_bytes(runtime, loaded);
}

std::string outputs_of_copy(Template& made, const Options& options) {
  auto [runtime, loaded] = expect_ok(Runtime::adopt(options, expect_ok(made.fork())));
  return testing::output_bytes(runtime, loaded);
}

/// Processors of each thread of a process, as in "Cpus_allowed_list:".
std::multiset<std::string> processors_of_threads(pid_t process) {
  std::multiset<std::string> out;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    std::ifstream file(thread.path() / "status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("Cpus_allowed_list:")) out.insert(line.substr(line.find('\t') + 1));
  }
  return out;
}

class OrtTemplateSlow : public ::testing::TestWithParam<std::tuple<const char*, std::uint32_t>> {};

TEST_P(OrtTemplateSlow, CopiesComputeTheSameBits) {
  const auto [network, threads] = GetParam();
  const Options options{.threads = threads};
  const Detached model(expect_ok(zoo::make(network)));
  const std::string expected = outputs_of_own_load(model, options);
  ASSERT_FALSE(expected.empty());
  const KeptModel kept = testing::prepared_by(options, model);
  for (const LoadRequest& request : {model.request(), kept.request(Form::kPrepared)}) {
    Template made = expect_ok(Template::start(options, request));
    for (int i = 0; i < 2; ++i)
      EXPECT_TRUE(outputs_of_copy(made, options) == expected) << static_cast<int>(request.form);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, OrtTemplateSlow,
                         ::testing::Combine(::testing::Values("resnet18", "mobilenet_v2", "swin_t"),
                                            ::testing::Values(1U, 2U)));

TEST(OrtTemplate, CopiesHaveTheThreadsThatWereAskedFor) {
  const Detached model(conv_net());
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    const Options options{.threads = threads};
    Template made = expect_ok(Template::start(options, model.request()));
    Forked forked = expect_ok(made.fork());
    const pid_t process = forked.process;
    EXPECT_EQ(processors_of_threads(made.process()).size(), 1U);
    const auto copy = expect_ok(Runtime::adopt(options, std::move(forked)));
    // One more listens for Ctrl-C.
    EXPECT_EQ(processors_of_threads(process).size(), threads + 1);
  }
}

TEST(OrtTemplate, CopiesPinTheirThreads) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  ASSERT_EQ(::sched_getaffinity(0, sizeof(mine), &mine), 0);
  if (!CPU_ISSET(0, &mine) || !CPU_ISSET(1, &mine)) GTEST_SKIP() << "needs processors 0 and 1";
  const Detached model(conv_net());
  const Options options{.threads = 2, .cpus = {1, 0}};
  Template made = expect_ok(Template::start(options, model.request()));
  Forked forked = expect_ok(made.fork());
  const pid_t process = forked.process;
  const auto copy = expect_ok(Runtime::adopt(options, std::move(forked)));
  const std::multiset<std::string> seen = processors_of_threads(process);
  EXPECT_EQ(seen.count("0"), 1U);  // the worker; the calling thread and the listener are on 1
  EXPECT_EQ(seen.count("1"), 2U);
}

TEST(OrtTemplate, CopiesAreProfiledByTheObserver) {
  const Detached model(conv_net());
  Template made = expect_ok(Template::start({}, model.request(Dump::kStructure)));
  EXPECT_EQ(made.info().notes, "");
  auto [runtime, loaded] = expect_ok(Runtime::adopt({}, expect_ok(made.fork())));
  const Inputs inputs = testing::inputs_for(loaded);
  expect_ok(runtime.set_inputs(loaded.session, inputs));
  const Measurement m = expect_ok(
      runtime.measure(loaded.session, {.warmup_runs = 0, .min_rounds = 2, .max_rounds = 2}));
  ASSERT_EQ(m.profiled.size(), 2U);
  std::multiset<std::string> dumped, seen;
  const onnx::Document dump = expect_ok(onnx::read_bytes(loaded.graph.model, "dump"));
  for (const onnx::Node& node : dump.model.graph.nodes) dumped.emplace(node.name);
  for (const KernelEvent& event : m.profiled[0].events) seen.insert(m.kernels[event.kernel].name);
  EXPECT_EQ(seen, dumped);
  EXPECT_FALSE(expect_ok(runtime.kernel_facts(loaded.session)).empty());
}

TEST(OrtTemplate, OtherExecutionsAndLoadsWorkInCopies) {
  const Detached model(conv_net());
  const Options options{
      .threads = 2, .entries = {{"ridge.execution", "parallel"}, {"ridge.inter_op_threads", "2"}}};
  const std::string expected = outputs_of_own_load(model, options);
  Template made = expect_ok(Template::start(options, model.request()));
  auto [runtime, loaded] = expect_ok(Runtime::adopt(options, expect_ok(made.fork())));
  EXPECT_TRUE(testing::output_bytes(runtime, loaded) == expected);
  // Another model, whose threads start at once; then both go.
  const Loaded other = expect_ok(runtime.load(model.request()));
  EXPECT_TRUE(testing::output_bytes(runtime, other) == expected);
  expect_ok(runtime.unload(other.session));
  expect_ok(runtime.unload(loaded.session));
}

TEST(OrtTemplate, OptionsWhoseThreadsCannotWaitAreRefusedByName) {
  const Detached model(conv_net());
  EXPECT_EQ(Template::start({.entries = {{"ridge.thread_pool", "shared"}}}, model.request())
                .error()
                .text(),
            "error: a process of ONNX Runtime with ridge.thread_pool=shared cannot be copied\n"
            "  hint: leave the option out: its threads start with the runtime\n"
            "  [RIDGE-ORT-0042]\n");
  EXPECT_EQ(
      Template::start({.threads = 2, .entries = {{"session.intra_op_thread_affinities", "1"}}},
                      model.request())
          .error()
          .text(),
      "error: a process of ONNX Runtime with session.intra_op_thread_affinities cannot be "
      "copied\n"
      "  hint: leave the option out; ridge pins threads to processors by itself\n"
      "  [RIDGE-ORT-0042]\n");
}

/// Weights count once, however many copies there are, and whether packed or not.
TEST(OrtTemplate, CopiesShareItsMemory) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  constexpr std::int64_t kSide = 4096, kWeight = kSide * kSide * 4;
  const Options options;
  const Detached model(product(kSide));
  const KeptModel kept = testing::prepared_by(options, model);
  for (const LoadRequest& request : {model.request(), kept.request(Form::kPrepared)}) {
    std::vector<Runtime::Adopted> copies;
    std::vector<pid_t> processes;
    Template made = expect_ok(Template::start(options, request));
    for (int i = 0; i < 4; ++i) {
      Forked forked = expect_ok(made.fork());
      processes.push_back(forked.process);
      copies.push_back(expect_ok(Runtime::adopt(options, std::move(forked))));
      (void)testing::output_bytes(copies.back().runtime, copies.back().loaded);
    }
    std::int64_t sum = made.memory()->proportional.count;
    for (const pid_t process : processes) {
      const auto memory = ipc::memory_of(process);
      ASSERT_TRUE(memory.has_value());
      sum += memory->proportional.count;
      EXPECT_LT(memory->own.count, kWeight / 4);
    }
    EXPECT_LT(sum, 2 * kWeight + kWeight / 2);  // five loads of their own would take 5 of them
  }
}

TEST(OrtTemplate, PrivateMemoryGoesIntoHugePages) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  Options options;
  options.memory_folder = "";  // the weight is copied into private memory
  const Detached model(product(4096));
  const Template plain = expect_ok(Template::start(options, model.request(), HugePages::kNever));
  const Template huge = expect_ok(Template::start(options, model.request()));
  const std::int64_t in_huge = huge.memory()->anonymous_huge.count;
  if (in_huge == 0) GTEST_SKIP() << "this system has no huge pages for a process that asks";
  EXPECT_GT(in_huge, huge.memory()->anonymous.count / 2);
  EXPECT_LT(plain.memory()->anonymous_huge.count, in_huge);
}

}  // namespace
}  // namespace ridge::runtime
