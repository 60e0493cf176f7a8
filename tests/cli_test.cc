// The command line as golden text: each file of cli/, and of cli_slow/ for what starts a runtime,
// is a transcript.
//
//   # what the next command shows            kept as it is, like empty lines
//   $ ridge analyse plain.onnx               a command of the shell, in a Workplace
//   | …                                      a line of its standard output
//   ! …                                      a line of its standard error
//   -> 2                                     its exit status, where it is not 0
//
// The temporary folder reads <folder>, the version <version>. scripts/approve.sh writes what is
// printed now; look at the difference it makes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/version.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

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

/// The transcript with what its commands print now.
std::string play(const std::string& transcript) {
  const Workplace place;
  std::string now;
  for (const std::string& line : lines_of(transcript)) {
    if (line.empty() || line[0] == '#') now += line + "\n";
    if (!line.starts_with("$ ")) continue;
    const Outcome outcome = place.run(line.substr(2));
    const std::string seen = marked("|", outcome.out) + marked("!", outcome.err);
    now += line + "\n" + replaced(seen, place.folder().string(), "<folder>");
    if (outcome.status != 0) now += "-> " + std::to_string(outcome.status) + "\n";
  }
  return replaced(std::move(now), "ridge " + std::string(version()), "ridge <version>");
}

void play_and_compare(const fs::path& file) {
  const std::string expected = read_text(file);
  const std::string now = play(expected);
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

std::string name_of(const ::testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}

class CommandLine : public ::testing::TestWithParam<fs::path> {};
TEST_P(CommandLine, PrintsWhatWasApproved) { play_and_compare(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Transcript, CommandLine,
                         ::testing::ValuesIn(files_in(source_tree() / "tests/cli", ".txt")),
                         name_of);

class CommandLineSlow : public ::testing::TestWithParam<fs::path> {};
TEST_P(CommandLineSlow, PrintsWhatWasApproved) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  play_and_compare(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Transcript, CommandLineSlow,
                         ::testing::ValuesIn(files_in(source_tree() / "tests/cli_slow", ".txt")),
                         name_of);

}  // namespace
}  // namespace ridge::tests
