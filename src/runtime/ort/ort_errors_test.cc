// SPDX-License-Identifier: Apache-2.0
// Error messages for problems with ONNX Runtime or its library.
#include <gtest/gtest.h>

#include <chrono>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/temporary_folder.h"
#include "onnx/writer.h"
#include "runtime/abi.h"
#include "runtime/child/plugin.h"
#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/testing/abs_session.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/models.h"

namespace ridge::runtime {
namespace {

Error ort_load_error(std::string_view model) {
  Runtime runtime = expect_ok(Runtime::spawn({}));
  Result<Loaded> loaded = runtime.load({.model = model, .weights = {}});
  EXPECT_FALSE(loaded.ok());
  EXPECT_TRUE(runtime.alive());
  return std::move(loaded).error();
}

Error ort_open_error(const Options& options) {
  Result<Runtime> runtime = Runtime::spawn(options);
  EXPECT_FALSE(runtime.ok());
  return std::move(runtime).error();
}

TEST(OrtErrors, ARejectedModelIsTheInputsFault) {
  const Error error =
      ort_load_error(expect_ok(onnx::write_bytes(single("Frobnicate", "org.example"))));
  EXPECT_EQ(error.error_class(), ErrorClass::kInput);
  EXPECT_EQ(error.text(),
            "error: ONNX Runtime rejects the model: Fatal error: org.example:Frobnicate(-1) is not "
            "a registered function/op\n"
            "  [RIDGE-ORT-0020]\n");
}

TEST(OrtErrors, BytesThatAreNoModel) {
  EXPECT_EQ(ort_load_error("no model").text(),
            "error: ONNX Runtime rejects the model: Failed to load model because protobuf parsing "
            "failed.\n  [RIDGE-ORT-0020]\n");
}

TEST(OrtErrors, NoLibraryWhereTheUserSaysOneIs) {
  const Error error = ort_open_error({.library = "/nowhere/libonnxruntime.so"});
  EXPECT_EQ(error.error_class(), ErrorClass::kEnvironment);
  EXPECT_EQ(error.text(),
            "error: the ONNX Runtime library cannot be opened\n"
            "  /nowhere/libonnxruntime.so: cannot open shared object file: No such file or "
            "directory\n"
            "  hint: --runtime-library needs the path of a libonnxruntime.so for this machine\n"
            "  [RIDGE-ORT-0002]\n");
}

TEST(OrtErrors, NoLibraryAnywhere) {
  const Error error = ort_open_error({.folders = {"/nowhere"}});
  if (error.code() != "RIDGE-ORT-0001") GTEST_SKIP() << "the loader found an installed one";
  EXPECT_EQ(error.error_class(), ErrorClass::kEnvironment);
  EXPECT_EQ(error.text(),
            "error: no ONNX Runtime library was found\n"
            "  tried: libonnxruntime.so: cannot open shared object file: No such file or directory;"
            " libonnxruntime.so.1: cannot open shared object file: No such file or directory\n"
            "  hint: pip install onnxruntime into the Python environment of ridge, run "
            "scripts/fetch_onnxruntime.sh in a clone, or name one with --runtime-library PATH\n"
            "  [RIDGE-ORT-0001]\n");
}

TEST(OrtErrors, ALibraryThatIsSomethingElse) {
  const Error error = ort_open_error({.library = "libm.so.6"});
  EXPECT_EQ(error.code(), "RIDGE-ORT-0003");
  EXPECT_EQ(error.error_class(), ErrorClass::kEnvironment);
}

TEST(OrtErrors, ALibraryThatIsTooOld) {
  const std::string path = expect_ok(find_plugin("faulty"));  // it imitates one
  EXPECT_EQ(ort_open_error({.library = path}).text(),
            "error: " + path +
                ": ONNX Runtime 1.20.0 is too old: at least 1.25 is needed\n"
                "  hint: pip install onnxruntime into the Python environment of ridge, run "
                "scripts/fetch_onnxruntime.sh in a clone, or name one with --runtime-library "
                "PATH\n"
                "  [RIDGE-ORT-0004]\n");
}

TEST(OrtErrors, OfAFoldersLibrariesTheHighestVersionIsOpened) {
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make("/tmp"));
  const std::filesystem::path here = folder.path();
  std::filesystem::create_symlink(expect_ok(find_plugin("faulty")),
                                  here / "libonnxruntime.so.1.10.0");
  std::ofstream(here / "libonnxruntime.so.1.9.0") << "no library";
  EXPECT_EQ(ort_open_error({.folders = {folder.path()}}).code(), "RIDGE-ORT-0004");
}

TEST(OrtErrors, OptionsThatMakeNoSense) {
  EXPECT_EQ(ort_open_error({.threads = 2, .cpus = {0}}).text(),
            "error: 1 processors given for 2 threads\n"
            "  hint: name one processor per thread\n"
            "  [RIDGE-ORT-0012]\n");
  EXPECT_EQ(ort_open_error({.entries = {{"ridge.colour", "red"}}}).text(),
            "error: unknown option 'ridge.colour=red'\n"
            "  hint: options of ridge itself are: ridge.observer=on|off, "
            "ridge.thread_pool=own|shared, ridge.execution=sequential|parallel, "
            "ridge.inter_op_threads=N\n"
            "  [RIDGE-ORT-0015]\n");
  Runtime runtime = expect_ok(Runtime::spawn({.cpus = {100'000}}));
  const std::string model = expect_ok(onnx::write_bytes(single("Sin")));
  EXPECT_EQ(runtime.load({.model = model, .weights = {}}).error().code(), "RIDGE-ORT-0013");
}

TEST(OrtErrors, InputsThatDoNotFit) {
  Runtime runtime = expect_ok(Runtime::spawn({}));
  const std::string model = expect_ok(onnx::write_bytes(single("Sin")));
  const Loaded loaded = expect_ok(runtime.load({.model = model, .weights = {}}));
  const Inputs unknown = expect_ok(Inputs::make({{.name = "z", .dims = {4}}}));
  EXPECT_EQ(runtime.set_inputs(loaded.session, unknown).error().text(),
            "error: the model has no input 'z'\n"
            "  hint: its inputs are: x\n"
            "  [RIDGE-ORT-0024]\n");
  const Inputs wide = expect_ok(Inputs::make({{.name = "x", .dims = {5}}}));
  expect_ok(runtime.set_inputs(loaded.session, wide));
  const Result<Measurement> m = runtime.measure(loaded.session, {});
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code(), "RIDGE-ORT-0023");
  EXPECT_EQ(m.error().error_class(), ErrorClass::kInput);
}

/// Returns "Cpus_allowed_list" of every thread of our child processes.
std::multiset<std::string> affinities_of_children() {
  std::multiset<std::string> lists;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;) {
      for (const auto& thread : std::filesystem::directory_iterator("/proc/" + child + "/task")) {
        std::ifstream status(thread.path() / "status");
        for (std::string line; std::getline(status, line);) {
          if (line.starts_with("Cpus_allowed_list:")) lists.insert(line.substr(19));
        }
      }
    }
  }
  return lists;
}

TEST(OrtThreads, ArePinnedOneProcessorEach) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "needs two processors";
  Runtime runtime = expect_ok(Runtime::spawn({.threads = 2, .cpus = {1, 0}}));
  const std::string model = expect_ok(onnx::write_bytes(single("Sin")));
  expect_ok(runtime.load({.model = model, .weights = {}}));
  // ONNX Runtime's thread pins itself when it first runs, which may be later than this.
  std::multiset<std::string> lists = affinities_of_children();
  for (int i = 0; i < 1000 && lists.count("0") == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    lists = affinities_of_children();
  }
  EXPECT_EQ(lists.count("1"), 1U);  // the calling thread
  EXPECT_EQ(lists.count("0"), 1U);  // ONNX Runtime's own
}

TEST(OrtAsync, RunsOnAThreadOfTheRuntime) {
  AbsSession abs(2);
  std::atomic<int> status = -1;
  const RidgeDone done = [](void* context, RidgeStatus outcome, const RidgeError*) {
    auto& result = *static_cast<std::atomic<int>*>(context);
    result = outcome;
    result.notify_all();
  };
  ASSERT_EQ(abs.api.run_async(abs.session, done, &status, &abs.error), RIDGE_OK)
      << abs.error.message;
  status.wait(-1);
  EXPECT_EQ(status, RIDGE_OK);
  EXPECT_EQ(abs.y()[2], 3.0F);
}

}  // namespace
}  // namespace ridge::runtime
