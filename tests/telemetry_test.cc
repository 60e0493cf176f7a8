// SPDX-License-Identifier: Apache-2.0
// What a run reaches outside its own folders, as strace sees it: no network, no file.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "workplace.h"

namespace ridge::tests {
namespace {

constexpr std::string_view kChanges =
    "trace=socket,connect,open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,rename,renameat,"
    "renameat2,link,linkat,symlink,symlinkat,truncate,unlink,unlinkat,rmdir,chmod,fchmodat";

/// True if the call may create, write or remove the paths that it names.
bool changes_a_file(std::string_view line) {
  if (has(line, "socket(") || has(line, "connect(")) return false;
  const bool writes =
      has(line, "O_CREAT") || has(line, "O_WRONLY") || has(line, "O_RDWR") || has(line, "O_TRUNC");
  return writes || !(has(line, "open(") || has(line, "openat(") || has(line, "openat2("));
}

/// The absolute paths that a line of strace names; relative ones are in the test's own folder.
std::vector<std::string> paths_in(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t begin = line.find("\"/");
    if (begin == std::string_view::npos) return out;
    line.remove_prefix(begin + 1);
    out.emplace_back(line.substr(0, line.find('"')));
    line.remove_prefix(out.back().size());
  }
}

bool starts_with_any(const std::string& path, const std::vector<std::string>& beginnings) {
  for (const std::string& beginning : beginnings)
    if (path.starts_with(beginning)) return true;
  return false;
}

/// Runs a command of ridge under strace, with an empty home folder that has the machine's roofs.
class TelemetrySlow : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
    if (lacks_openvino(GetParam())) GTEST_SKIP() << "no OpenVINO: scripts/fetch_openvino.sh";
  }

  /// Lines of strace in which the command left its folders.
  std::vector<std::string> reached(const std::string& command) {
    const Outcome outcome = place_.run(
        R"(roofs=$(ls "${XDG_CACHE_HOME:-$HOME/.cache}"/ridge/machine-*.json 2>/dev/null || true)
           mkdir -p home/.cache/ridge temporary
           [ -z "$roofs" ] || cp $roofs home/.cache/ridge/
           unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME ORT_DISABLE_TELEMETRY
           export HOME=$PWD/home TMPDIR=$PWD/temporary
           unset CI TF_BUILD GITHUB_ACTIONS
           strace -f -qq -s 4096 -o calls -e )" +
        std::string(kChanges) + " " + command);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::string> out;
    if (outcome.status != 0) return out;
    const std::string own = place_.folder().string() + "/";
    const std::vector<std::string> mine = {own,         "/tmp/ridge-", "/dev/shm/ridge-",
                                           "/dev/null", "/dev/tty",    "/proc/self/"};
    std::size_t calls = 0;
    for (const std::string& line : lines_of(read_text(place_.folder() / "there/calls"))) {
      ++calls;
      if (has(line, "socket(AF_") && !has(line, "socket(AF_UNIX")) out.push_back(line);
      if (!changes_a_file(line)) continue;
      for (const std::string& path : paths_in(line))
        if (!starts_with_any(path, mine)) out.push_back(line);
    }
    EXPECT_GT(calls, 100U) << "strace saw too little: " << outcome.err;
    return out;
  }

  /// Paths in the home folder beside ridge's own cache.
  std::string left_at_home() {
    return place_
        .run("cd home; find . -path ./.cache/ridge -prune -o ! -name . ! -name .cache -print")
        .out;
  }

  Workplace place_;
};

const std::vector<std::string> kNothing;

TEST_P(TelemetrySlow, AProfileOpensNoConnectionAndWritesNothingElsewhere) {
  EXPECT_EQ(reached("ridge profile plain.onnx --bind batch=2 --processes 1 --budget 0 --runtime " +
                    std::string(GetParam())),
            kNothing);
  EXPECT_EQ(left_at_home(), "");
}

TEST_P(TelemetrySlow, AnEvaluationOpensNoConnectionAndWritesNothingElsewhere) {
  EXPECT_EQ(reached("ridge eval plain.onnx --bind batch=2 --min-queries 20 --duration 100ms "
                    "--output e.json --format json --runtime " +
                    std::string(GetParam())),
            kNothing);
  EXPECT_EQ(left_at_home(), "");
}

INSTANTIATE_TEST_SUITE_P(Runtimes, TelemetrySlow, ::testing::Values("ort", "openvino"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace ridge::tests
