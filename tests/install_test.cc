// SPDX-License-Identifier: Apache-2.0
// What `cmake --install` copies: the program runs from there, and examples/before-after is built
// against it as a project of its own, with CMake and with pkg-config, while the source tree and the
// build folder are hidden behind an empty file system.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

class InstallSlow : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new Workplace;
    // Folders of users have blanks and other letters.
    installed_ =
        place_->run(fmt::format("cmake --install '{}' --prefix \"$PWD/an Ört\"; cp -r '{}' project",
                                fs::absolute(program()).parent_path().string(),
                                (source_tree() / "examples/before-after").string()));
  }
  static void TearDownTestSuite() { delete place_; }

  void SetUp() override { ASSERT_EQ(installed_.status, 0) << installed_.err; }

  /// Runs a script in which the source tree is an empty folder.
  Outcome run_without_source(const std::string& script) {
    write_text(place_->folder() / "there/hidden.sh", "set -e\n" + script);
    return place_->run(fmt::format(
        "unshare --map-root-user --mount bash -c \"mount -t tmpfs none '{}' && PATH=/usr/bin:/bin "
        "bash hidden.sh\"",
        fs::canonical(source_tree()).string()));
  }

  static Workplace* place_;
  static Outcome installed_;
};

Workplace* InstallSlow::place_ = nullptr;
Outcome InstallSlow::installed_;

/// The library of the runtime beside its plug-in, and a spec of a short measurement.
constexpr std::string_view kLinkRuntime = R"sh(
ln -sf "$(echo "${XDG_CACHE_HOME:-$HOME/.cache}"/ridge/onnxruntime/*/lib/*)" 'an Ört/lib/ridge/libonnxruntime.so'
printf 'processes = 1\nbudget = { seconds = 0.3, of = "all" }\npin = false\n' > spec.toml
)sh";

TEST_F(InstallSlow, TheProgramRunsFromThere) {
  const Outcome o = run_without_source(
      std::string(kLinkRuntime) +
      "'an Ört/bin/ridge' profile zoo:squeezenet1_1 --processes 1 --budget 300ms");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "/features/features.0/Conv")) << o.out;
}

TEST_F(InstallSlow, AProjectFindsItWithCMake) {
  const Outcome o = run_without_source(std::string(kLinkRuntime) + R"(
cmake -S project -B with-cmake -DCMAKE_PREFIX_PATH="$PWD/an Ört" > log
cmake --build with-cmake >> log
with-cmake/before_after spec.toml runs.db zoo:squeezenet1_1 zoo:squeezenet1_1)");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "latency")) << o.out;
}

TEST_F(InstallSlow, AProjectFindsItWithPkgConfig) {
  const Outcome o = run_without_source(std::string(kLinkRuntime) + R"(
cp -al 'an Ört' installed  # pkg-config puts a backslash before other letters
export PKG_CONFIG_PATH=$PWD/installed/lib/pkgconfig
c++ project/before_after.cc -o with-pkg-config $(pkg-config --cflags --libs ridgeline) \
  -DRIDGELINE_PLUGIN_FOLDER=\"$(pkg-config --variable=plugins ridgeline)\"
./with-pkg-config spec.toml runs.db zoo:squeezenet1_1 zoo:squeezenet1_1)");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "latency")) << o.out;
}

TEST_F(InstallSlow, ManualPagesAreForEachVerbAndReadable) {
  const Outcome o = place_->run(
      "for page in 'an Ört'/share/man/man1/*; do man --warnings --encoding=UTF-8 -l \"$page\" "
      ">text 2>warnings; "
      "[ ! -s warnings ] || cat \"$page\" warnings; grep -q NAME text; done; ls 'an "
      "Ört/share/man/man1' | wc -l; "
      "man -l 'an Ört/share/man/man1/ridge-eval-compare.1.gz' | col -b");
  EXPECT_EQ(o.status, 0) << o.err;
  const std::string verbs =
      place_->run("ridge --help | sed -n '/^Verbs:/,/^$/p' | grep -c '^  [a-z]'").out;
  EXPECT_EQ(lines_of(o.out).at(0), std::to_string(std::stoi(verbs) + 1));
  EXPECT_TRUE(has(o.out, "--fail-on")) << o.out;
}

}  // namespace
}  // namespace ridge::tests
