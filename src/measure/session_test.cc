// SPDX-License-Identifier: Apache-2.0
// Columns in turns, with a runtime that misbehaves on request (runtime/testing/faulty_plugin.cc).
#include "measure/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "analysis/testing.h"
#include "runtime/paths.h"
#include "runtime/testing/expect.h"

namespace ridge::measure {
namespace {

using profile::Process;
using runtime::expect_ok;

const analysis::Resolved& session_model() {
  static const analysis::Resolved resolved = analysis::testing::resolved(
      "graph main\n input x[2,3]\n a: Relu(x) -> t\n b: Relu(t) -> y\n output y\n");
  return resolved;
}

Request faulty(std::vector<std::pair<std::string, std::string>> entries = {}) {
  Request request{.plan = {.warmup_runs = 1, .min_rounds = 12, .max_rounds = 12}};
  request.runtime.plugin = expect_ok(runtime::find_plugin("faulty"));
  request.runtime.entries = std::move(entries);
  request.processors = 64;  // so many that no foreign load counts
  return request;
}

TEST(Rounds, AreCountedWithTheirLeastNumber) {
  EXPECT_EQ(rounds_text({.rounds_done = 42, .min_rounds = 10}), "42 runs, at least 10");
  EXPECT_EQ(rounds_text({.rounds_done = 1, .min_rounds = 10}), "1 run, at least 10");
}

/// Fails in the process of that number; the first opening is the calibration's.
Request failing_in(int process, const char* at, const std::string& after) {
  const std::string file = ::testing::TempDir() + "openings_" + at;
  std::remove(file.c_str());
  return faulty({{"fault", "crash"},
                 {"at", at},
                 {"after", after},
                 {"count", file},
                 {"opening", std::to_string(process + 1)}});
}

std::vector<std::size_t> runs_of(const profile::Profile& p) {
  std::vector<std::size_t> out;
  for (const Process& process : p.latency.processes) out.push_back(process.samples_ns.size());
  return out;
}

TEST(ProfileModel, SaysThatWeightsInFilesWereRefusedAndCopied) {
  const analysis::Resolved weighty = analysis::testing::resolved(
      "graph main\n input x[1,256]\n constant w[256,256]\n a: MatMul(x, w) -> y\n output y\n");
  const auto copies = [&](Request request) {
    request.processes = 1;
    std::vector<std::string> out;
    for (const std::string& note : expect_ok(profile_model(weighty, request)).notes)
      if (note.find("copies") != std::string::npos) out.push_back(note);
    return out;
  };
  EXPECT_EQ(copies(faulty({{"weights", "refused"}})),
            std::vector<std::string>{
                "the runtime takes no weights from files here, so it was given copies of them: "
                "loading takes longer, and their memory a second time (no file is to be opened)"});
  EXPECT_TRUE(copies(faulty()).empty());
}

using Sizes = std::vector<std::size_t>;

TEST(ProfileInTurns, AProcessThatFailsKeepsItsPlaceAndTheOthersTheirPartners) {
  const std::vector<Column> columns = {{&session_model(), faulty()},
                                       {&session_model(), failing_in(2, "load", "0")}};
  const auto profiles = profile_in_turns(columns, Turns::kRuns);
  const profile::Profile whole = expect_ok(profiles[0]), holed = expect_ok(profiles[1]);
  const Sizes of_whole = runs_of(whole), of_holed = runs_of(holed);
  ASSERT_EQ(of_whole.size(), 3U);
  ASSERT_EQ(of_holed.size(), 3U);
  EXPECT_EQ(of_holed[1], 0U);
  EXPECT_GT(of_whole[1], 0U);
  EXPECT_EQ(of_holed[0], of_whole[0]);
  EXPECT_EQ(of_holed[2], of_whole[2]);
  EXPECT_EQ(holed.layers.at(0).runs_ns.size(), of_holed[0] + of_holed[2]);
  EXPECT_TRUE(std::ranges::any_of(holed.notes, [](const std::string& note) {
    return note.starts_with("process 2 gave nothing: ");
  }));
}

TEST(ProfileInTurns, OnlyRoundsThatAllFinishedCount) {
  // A first run, a warm-up and nine rounds of three.
  const std::vector<Column> columns = {{&session_model(), faulty()},
                                       {&session_model(), failing_in(1, "run", "29")}};
  const auto profiles = profile_in_turns(columns, Turns::kRuns);
  const Sizes whole = runs_of(expect_ok(profiles[0])), cut = runs_of(expect_ok(profiles[1]));
  EXPECT_EQ(whole, cut);
  EXPECT_LE(cut[0], 9U);
  EXPECT_GE(cut[0], 5U);
}

TEST(ProfileInTurns, OneThatNeverWorksHoldsUpNobody) {
  const std::vector<Column> columns = {
      {&session_model(), faulty({{"fault", "fail"}, {"at", "open"}})},
      {&session_model(), faulty()}};
  const auto profiles = profile_in_turns(columns, Turns::kRuns);
  EXPECT_EQ(profiles[0].error().message(), "it does not want to");
  EXPECT_EQ(runs_of(expect_ok(profiles[1])).size(), 3U);
}

TEST(ProfileModel, ReferenceKernelsRunBeforeBetweenAndAfterTheProcesses) {
  Request request = faulty();
  request.processes = 2;
  const profile::Profile p = expect_ok(profile_model(session_model(), request));
  std::vector<std::uint32_t> when;
  for (const profile::ReferenceTime& t : p.reference) {
    EXPECT_GT(t.ns, 0) << t.kernel;
    when.push_back(t.processes);
  }
  EXPECT_EQ(when, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2}));
}

TEST(ProfileModel, LeavesOutAProcessThatGaveNothing) {
  EXPECT_EQ(runs_of(expect_ok(profile_model(session_model(), failing_in(2, "load", "0")))).size(),
            2U);
}

}  // namespace
}  // namespace ridge::measure
