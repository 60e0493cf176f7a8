// SPDX-License-Identifier: Apache-2.0
#include "accelerator/study/tvm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "accelerator/nests/registry.h"
#include "accelerator/tvm/static_model.h"
#include "accelerator/tvm/tir_profile.h"
#include "analysis/testing.h"
#include "base/temporary_folder.h"

namespace ridge::accelerator {
namespace {

using analysis::testing::resolved;

/// Environment that scripts/fetch_tvm.sh created for the user who runs the tests.
std::string fetched() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  const std::string cache = variable("XDG_CACHE_HOME");
  return tvm_folder(variable("RIDGE_TVM"),
                    (cache.empty() ? variable("HOME") + "/.cache" : cache) + "/ridge");
}

TEST(TvmHelper, TheFolderIsTheGivenOneOrInTheCache) {
  EXPECT_EQ(tvm_folder("/opt/tvm", "/cache"), "/opt/tvm");
  EXPECT_EQ(tvm_folder("", "/cache"), "/cache/tvm/0.27.0.post1");
  EXPECT_EQ(tvm_folder("", ""), "");
}

/// Error text of lower_with_tvm if the environment's Python executes these shell commands.
std::string error_with_python(const std::string& commands) {
  const TemporaryFolder folder =
      TemporaryFolder::make(std::filesystem::temp_directory_path().string()).value();
  std::filesystem::create_directory(folder.path() + "/bin");
  const std::string python = folder.path() + "/bin/python";
  std::ofstream(python) << "#!/bin/sh\n" << commands << "\n";
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const auto nests = lower_with_tvm(folder.path(), "model", TvmHooks::kNone);
  return nests.ok() ? "fine" : nests.error().text();
}

TEST(TvmHelper, SaysHowToGetIt) {
  EXPECT_EQ(lower_with_tvm("/nonexistent/tvm", "model", TvmHooks::kNone).error().text(),
            "error: Apache TVM is not installed\n"
            "  no /nonexistent/tvm/bin/python\n"
            "  hint: run scripts/fetch_tvm.sh, or profile with nest or closed-form\n"
            "  [RIDGE-WB-0180]\n");
  const machine::RuntimeFinding found = find_tvm("/nonexistent/tvm");
  EXPECT_FALSE(found.version.has_value());
  EXPECT_FALSE(found.measures);
  EXPECT_EQ(found.advice, "run scripts/fetch_tvm.sh, or profile with nest or closed-form");
}

TEST(TvmHelper, RefusesAnotherVersion) {
  EXPECT_EQ(error_with_python("echo apache-tvm-ffi 0.1.14.post1 is needed, 0.1.15.post2 is "
                              "installed; exit 2"),
            "error: another version of Apache TVM is installed\n"
            "  apache-tvm-ffi 0.1.14.post1 is needed, 0.1.15.post2 is installed\n"
            "  hint: scripts/fetch_tvm.sh installs apache-tvm 0.27.0.post1 with apache-tvm-ffi "
            "0.1.14.post1\n"
            "  [RIDGE-WB-0182]\n");
}

TEST(TvmHelper, HandsOnWhyAModelIsRefused) {
  EXPECT_EQ(error_with_python("echo OpNotImplemented: Odd >&2; exit 3"),
            "error: TVM rejected the model\n"
            "  OpNotImplemented: Odd\n"
            "  hint: use --profile-with nest or --profile-with closed-form\n"
            "  [RIDGE-WB-0183]\n");
}

TEST(TvmHelper, OutlivesACrash) {
  EXPECT_EQ(error_with_python("kill -SEGV $$"),
            "error: TVM was ended by signal 11 (Segmentation fault)\n"
            "  hint: use --profile-with nest or --profile-with closed-form\n"
            "  [RIDGE-WB-0184]\n");
}

TEST(TvmSlow, TellsTheSameAsOurNestsAndItsHooks) {
  if (!find_tvm(fetched()).version) GTEST_SKIP() << "scripts/fetch_tvm.sh installs TVM";
  const analysis::Resolved r = resolved(R"(
    graph main
      input x[1,4,8,8]
      constant w[8,4,3,3] b[8] v[8,5]
      Conv(x, w, b) {pads=[1,1,1,1]} -> y
      Relu(y) -> z
      GlobalAveragePool(z) -> p
      Flatten(p) -> f
      MatMul(f, v) -> m
      output m
  )");
  const auto model = static_model(r);
  ASSERT_TRUE(model.ok());
  const auto nests = lower_with_tvm(fetched(), model->bytes, TvmHooks::kRun);
  ASSERT_TRUE(nests.ok()) << nests.error().text();
  const auto told = profile_tir(nests->tir, nests->map, r);
  ASSERT_TRUE(told.ok()) << told.error().text();
  const auto ours = profile_nests(lower(r), r);
  ASSERT_TRUE(ours.ok());
  for (const graph::NodeId node : {0U, 4U}) {
    ASSERT_NE(told->find(node), nullptr);
    EXPECT_EQ(told->find(node)->macs, ours->find(node)->macs);
    EXPECT_EQ(told->find(node)->hooked_macs, ours->find(node)->macs);
    EXPECT_EQ(told->find(node)->param_bytes, ours->find(node)->param_bytes);
  }
}

TEST(TvmSlow, RefusesWhatIsNoModel) {
  if (!find_tvm(fetched()).version) GTEST_SKIP() << "scripts/fetch_tvm.sh installs TVM";
  const auto nests = lower_with_tvm(fetched(), "no model", TvmHooks::kNone);
  ASSERT_FALSE(nests.ok());
  EXPECT_NE(nests.error().text().find("RIDGE-WB-0183"), std::string::npos);
}

}  // namespace
}  // namespace ridge::accelerator
