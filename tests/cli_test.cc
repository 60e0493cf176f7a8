// SPDX-License-Identifier: Apache-2.0
// Golden tests of the command line: each file is a transcript; cli_slow/ is for commands that start
// a runtime, cli_tvm/ for commands that start Apache TVM, hostile/ for malicious input, cli/ for
// the rest.
//
//   # purpose of the next command            kept as it is, like empty lines
//   = bad.onnx graph                         creates a file (crafted_file.h) from the following
//     node { name: "n" }                     lines that begin with two blanks
//   $ ridge analyse plain.onnx               a shell command, in a Workplace
//   | …                                      a line of its standard output
//   ! …                                      a line of its standard error
//   -> 2                                     its exit status, if it is not 0
//
// The temporary folder is written as <folder>, the version as <version>. scripts/approve.sh
// replaces the expected output by the current one; review the difference.
//
// A command of hostile/ is killed after two seconds of CPU time, and fails if it needs more than
// 256 MiB above `ridge --version`; sanitizers need more of both, so with them only the text is
// checked.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "accelerator/study/tvm.h"
#include "base/testing/sanitized.h"
#include "base/version.h"
#include "cli/cache_folder.h"
#include "crafted_file.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

enum class Bounds { kNone, kHostile };
constexpr int kHostileCpuSeconds = 2;
constexpr std::int64_t kHostileBytes = std::int64_t{256} << 20;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string marked(std::string_view mark, const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    out += mark;
    if (!line.empty()) out += " " + line;
    out += "\n";
  }
  return out;
}

/// Runs one transcript, and returns it with the current output of its commands.
class Player {
 public:
  explicit Player(Bounds bounds) : bounds_(bounds) {
    if (bounds_ == Bounds::kHostile) baseline_ = place_.run("ridge --version").peak_bytes;
  }

  std::string play(const std::string& transcript) {
    const std::vector<std::string> lines = lines_of(transcript);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      if (line.empty() || line[0] == '#') now_ += line + "\n";
      if (line.starts_with("= ")) i = make(lines, i);
      if (line.starts_with("$ ")) run(line);
    }
    return replaced(std::move(now_), "ridge " + std::string(version()), "ridge <version>");
  }

 private:
  /// Creates a file; returns the index of the last line that belongs to it.
  std::size_t make(const std::vector<std::string>& lines, std::size_t i) {
    const std::string& head = lines[i];
    const std::size_t blank = head.find(' ', 2);
    now_ += head + "\n";
    std::string body;
    for (; i + 1 < lines.size() && lines[i + 1].starts_with("  "); ++i) {
      now_ += lines[i + 1] + "\n";
      body += lines[i + 1].substr(2) + "\n";
    }
    make_file(place_.folder() / "there" / head.substr(2, blank - 2), head.substr(blank + 1), body);
    return i;
  }

  void run(const std::string& line) {
    const bool bounded = bounds_ == Bounds::kHostile && !kSanitized;
    const Outcome outcome = place_.run(line.substr(2), bounded ? kHostileCpuSeconds : 0);
    if (bounded) {
      EXPECT_LE(outcome.peak_bytes, baseline_ + kHostileBytes) << line;
    }
    const std::string seen = marked("|", outcome.out) + marked("!", outcome.err);
    now_ += line + "\n" + replaced(seen, place_.folder().string(), "<folder>");
    if (outcome.status != 0) now_ += "-> " + std::to_string(outcome.status) + "\n";
  }

  Workplace place_;
  Bounds bounds_;
  std::int64_t baseline_ = 0;
  std::string now_;
};

void play_and_compare(const fs::path& file, Bounds bounds = Bounds::kNone) {
  const std::string expected = read_text(file);
  const std::string now = Player(bounds).play(expected);
  if (std::getenv("RIDGE_APPROVE") != nullptr) {
    if (now != expected) write_text(file, now);
    return;
  }
  if (now == expected) return;
  const Workplace place;
  write_text(place.folder() / "there/now", now);
  ADD_FAILURE() << place.run("diff -u '" + file.string() + "' now").out
                << "If this is as it should be: scripts/approve.sh";
}

std::string transcript_name(const ::testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}

class CommandLine : public ::testing::TestWithParam<fs::path> {};
TEST_P(CommandLine, PrintsWhatWasApproved) { play_and_compare(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Transcript, CommandLine,
                         ::testing::ValuesIn(files_in(source_tree() / "tests/cli", ".txt")),
                         transcript_name);

class CommandLineHostile : public ::testing::TestWithParam<fs::path> {};
TEST_P(CommandLineHostile, PrintsWhatWasApproved) {
  play_and_compare(GetParam(), Bounds::kHostile);
}
INSTANTIATE_TEST_SUITE_P(Transcript, CommandLineHostile,
                         ::testing::ValuesIn(files_in(source_tree() / "tests/hostile", ".txt")),
                         transcript_name);

class CommandLineTvmSlow : public ::testing::TestWithParam<fs::path> {};
TEST_P(CommandLineTvmSlow, PrintsWhatWasApproved) {
  if (!accelerator::find_tvm(cli::tvm_folder()).version)
    GTEST_SKIP() << "no Apache TVM: scripts/fetch_tvm.sh";
  play_and_compare(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Transcript, CommandLineTvmSlow,
                         ::testing::ValuesIn(files_in(source_tree() / "tests/cli_tvm", ".txt")),
                         transcript_name);

class CommandLineSlow : public ::testing::TestWithParam<fs::path> {};
TEST_P(CommandLineSlow, PrintsWhatWasApproved) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  if (GetParam().stem().string().starts_with("tour_") && lacks_openvino(read_text(GetParam())))
    GTEST_SKIP() << "no OpenVINO: scripts/fetch_openvino.sh";
  play_and_compare(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Transcript, CommandLineSlow,
                         ::testing::ValuesIn(files_in(source_tree() / "tests/cli_slow", ".txt")),
                         transcript_name);

}  // namespace
}  // namespace ridge::tests
