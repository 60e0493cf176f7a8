// SPDX-License-Identifier: Apache-2.0
// ridge submit and ridge agent over real ssh servers on loopback ports.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "sshd.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

/// Two ssh servers, and requests of the null runtime that differ in their seeds.
class SubmitSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    a_ = TestSshd::start({.name = "a"});
    b_ = TestSshd::start({.name = "b"});
    if (!a_ || !b_) GTEST_SKIP() << "no ssh server: apt install openssh-server";
    describe(a_->lab_host() + b_->lab_host());
  }

  void describe(const std::string& hosts) const {
    write_text(place_.folder() / "there/lab.toml", "store = \"runs.db\"\n" + hosts);
  }

  /// m1.toml, m2.toml, ...
  void add_requests(int count, const std::string& duration) const {
    for (int i = 1; i <= count; ++i)
      write_text(place_.folder() / "there" / fmt::format("m{}.toml", i),
                 fmt::format("verb = \"eval\"\nmodel = \"plain.onnx\"\nruntime = [\"null\"]\n"
                             "duration = \"{}\"\nmin-queries = 3\nseed = {}\n"
                             "runtime-option = [\"ridge.service=constant:200\"]\n",
                             duration, i));
  }

  /// Number of the store's evaluations, as SQL counts them.
  std::string stored() const {
    return place_
        .run(
            "python3 -c \"import sqlite3; print(sqlite3.connect('runs.db').execute("
            "'SELECT count(*), count(DISTINCT point) FROM evaluation').fetchone())\"")
        .out;
  }

  Workplace place_;
  std::unique_ptr<TestSshd> a_, b_;
};

bool eventually(const std::function<bool()>& true_now) {
  for (int i = 0; i < 1000; ++i) {
    if (true_now()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(SubmitSlow, EachPointOfAMatrixIsInTheStoreOnce) {
  add_requests(6, "50ms");
  const Outcome first = place_.run("ridge submit m?.toml --on lab.toml --hosts any");
  EXPECT_EQ(first.status, 0) << first.err << first.out;
  EXPECT_EQ(stored(), "(6, 6)\n");
  EXPECT_TRUE(has(first.out, " a ") && has(first.out, " b ")) << first.out;
  const Outcome again = place_.run("ridge submit m?.toml --on lab.toml --hosts any");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(stored(), "(6, 6)\n");
  EXPECT_FALSE(has(again.out, "done")) << again.out;
  EXPECT_TRUE(a_->descendants("ridge").empty());
}

TEST_F(SubmitSlow, ADryRunSaysWhoGetsWhatAndWhy) {
  describe(a_->lab_host() + "tags = [\"rack-3\"]\n" + b_->lab_host());
  add_requests(1, "50ms");
  const Outcome o = place_.run(
      "ridge submit m1.toml --on lab.toml --dry-run --need tag=rack-3\n! ls runs.db 2>/dev/null");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "plain.onnx, batch=1, 1 thread, null  a        waiting")) << o.out;
  EXPECT_TRUE(has(o.out, "needs tag rack-3; b has no tags")) << o.out;
}

TEST_F(SubmitSlow, AnUnknownHostKeyIsRefused) {
  describe(a_->lab_host(false));
  add_requests(1, "50ms");
  const Outcome o = place_.run("ridge submit m1.toml --on lab.toml");
  EXPECT_EQ(o.status, 4) << o.err;
  EXPECT_TRUE(has(o.err, "error: the host key of a is not the known one\n")) << o.err;
  EXPECT_TRUE(has(o.err, "[RIDGE-LAB-0121]")) << o.err;
}

TEST_F(SubmitSlow, AHostWithoutRidgeIsNamedAndTheOtherGetsThePoints) {
  const auto bare = TestSshd::start({.name = "bare", .has_ridge = false});
  describe(bare->lab_host() + b_->lab_host());
  add_requests(2, "50ms");
  const Outcome o = place_.run("ridge submit m?.toml --on lab.toml");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.err, "error: bare has no ridge\n")) << o.err;
  EXPECT_TRUE(has(o.err, "[RIDGE-LAB-0120]")) << o.err;
  EXPECT_EQ(stored(), "(2, 2)\n");
}

TEST_F(SubmitSlow, NoiseOfALoginShellIsSkipped) {
  const auto loud = TestSshd::start(
      {.name = "loud", .noise = "echo Welcome to loud; seq 1 200; printf 'no line end'"});
  describe(loud->lab_host());
  add_requests(1, "50ms");
  const Outcome o = place_.run("ridge submit m1.toml --on lab.toml");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(stored(), "(1, 1)\n");
}

TEST_F(SubmitSlow, EndlessNoiseIsNamed) {
  const auto loud = TestSshd::start({.name = "loud", .noise = "yes 'Welcome to loud'"});
  describe(loud->lab_host());
  add_requests(1, "50ms");
  const Outcome o = place_.run("ridge submit m1.toml --on lab.toml");
  EXPECT_EQ(o.status, 4) << o.err;
  EXPECT_TRUE(has(o.err, "error: loud answers, but not as an agent\n")) << o.err;
  EXPECT_TRUE(has(o.err, "Welcome to loud")) << o.err;
}

TEST_F(SubmitSlow, AnotherVersionIsNamed) {
  const auto old = TestSshd::start(
      {.name = "old", .noise = "printf '\\nRIDGE-LAB 9 0.0.1\\n'; exec cat >/dev/null"});
  describe(old->lab_host());
  add_requests(1, "50ms");
  const Outcome o = place_.run("ridge submit m1.toml --on lab.toml");
  EXPECT_EQ(o.status, 4) << o.err;
  EXPECT_TRUE(has(o.err, "error: old has another version of ridge\n")) << o.err;
  EXPECT_TRUE(has(o.err, "ridge 0.0.1 with protocol 9 there")) << o.err;
}

/// Its clock is real, and hours ahead.
TEST_F(SubmitSlow, AHostWhoseClockIsHoursAheadIsNamedAndMeasures) {
  const auto early =
      TestSshd::start({.name = "early",
                       .noise = "export FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1\n"
                                "exec faketime -f +5h $SSH_ORIGINAL_COMMAND"});
  describe(early->lab_host());
  add_requests(2, "50ms");
  const Outcome o = place_.run("ridge submit m?.toml --on lab.toml");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.err,
                  "the clock of early is 5 h 0 min ahead of this one; its results carry its "
                  "times\n"))
      << o.err;
  EXPECT_EQ(stored(), "(2, 2)\n");
  EXPECT_EQ(place_.run("ridge submit m?.toml --on lab.toml").status, 0);
  EXPECT_EQ(stored(), "(2, 2)\n");
}

/// The agent's folder is a file system of 64 kB, of which `filled` are taken.
std::string with_little_space(int filled) {
  return fmt::format(
      "[ $(id -u) = 0 ] || as_root=-r\n"
      "if [ -z \"$INSIDE\" ]; then INSIDE=1 exec unshare $as_root -m sh \"$0\"; fi\n"
      "mount -t tmpfs -o size=64k full $XDG_CACHE_HOME\n"
      "dd if=/dev/zero of=$XDG_CACHE_HOME/filled bs=1k count={} 2>/dev/null",
      filled);
}

/// No file arrives there, or the files do and a result cannot be kept.
TEST_F(SubmitSlow, AHostWithAFullDiskIsNamedAndTheOtherGetsThePoints) {
  for (const int filled : {64, 30}) {
    const auto full = TestSshd::start({.name = "full", .noise = with_little_space(filled)});
    describe(full->lab_host() + b_->lab_host());
    place_.run("rm -f runs.db");
    add_requests(2, "50ms");
    const Outcome o = place_.run("ridge submit m?.toml --on lab.toml --hosts any");
    EXPECT_EQ(o.status, 0) << filled << o.err << o.out;
    EXPECT_TRUE(has(o.err, filled == 64 ? "No space left on device" : "free space of the disk"))
        << filled << o.err << o.out;
    EXPECT_EQ(stored(), "(2, 2)\n") << filled;
  }
}

TEST_F(SubmitSlow, APointWhoseAgentIsKilledIsMeasuredByTheOther) {
  add_requests(2, "2s");
  Outcome o;
  std::jthread submitting(
      [&] { o = place_.run("ridge submit m?.toml --on lab.toml --hosts any"); });
  // Both are at a point: the agent, and the ridge that it started.
  EXPECT_TRUE(eventually([&] { return a_->descendants("--point").size() == 1; }));
  for (const pid_t agent : a_->descendants("ridge agent")) ::kill(agent, SIGKILL);
  EXPECT_TRUE(eventually([&] { return a_->descendants("--point").empty(); }));
  submitting.join();
  EXPECT_EQ(o.status, 0) << o.err << o.out;
  EXPECT_TRUE(has(o.err, "a is lost and started again")) << o.err;
  EXPECT_EQ(stored(), "(2, 2)\n");
  EXPECT_TRUE(eventually([&] { return a_->descendants("ridge").empty(); }));
}

TEST_F(SubmitSlow, AnInterruptedSubmissionGoesOnWhereItWas) {
  add_requests(4, "500ms");
  const Outcome o = place_.run(
      "ridge submit m?.toml --on lab.toml --hosts any & id=$!\n"
      "until [ -e runs.db ] && ridge runs list runs.db 2>/dev/null | grep -q plain; do sleep 0.05; "
      "done\nkill -INT $id; wait $id && status=0 || status=$?; echo status $status");
  EXPECT_TRUE(has(o.out, "status 130")) << o.out << o.err;
  EXPECT_TRUE(eventually(
      [&] { return a_->descendants("ridge").empty() && b_->descendants("ridge").empty(); }));
  const Outcome rest = place_.run("ridge submit m?.toml --on lab.toml --hosts any");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_TRUE(has(rest.out, "held")) << rest.out;
  EXPECT_EQ(stored(), "(4, 4)\n");
}

TEST_F(SubmitSlow, AnExperimentShowsWhoIsGoneAndIsCompleteAfterTheSameCommand) {
  add_requests(8, "1s");
  Outcome o;
  std::jthread submitting([&] {
    o = place_.run(R"sh(
ridge submit m?.toml --on lab.toml --hosts any --experiment kills 2>err >out & id=$!
for i in $(seq 60); do
  sleep 0.1
  if ridge runs experiments runs.db kills --format json 2>/dev/null |
    grep -q '"name":"b".*"state":"gone"'; then break; fi
done
kill -INT $id; wait $id && status=0 || status=$?
echo status $status
ridge runs experiments runs.db kills | sed -n '1s/;.*//p'
ridge runs experiments runs.db kills --format json | grep -o '"name":"b".*"reason":"[^"]')sh");
  });
  EXPECT_TRUE(eventually([&] { return b_->descendants("--point").size() == 1; }));
  b_.reset();
  submitting.join();
  EXPECT_TRUE(has(o.out, "status 130\nexperiment 1: kills: stopped\n")) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "\"state\":\"gone\",\"doing\":\"\",\"reason\":\"")) << o.out;

  b_ = TestSshd::start({.name = "b"});
  describe(a_->lab_host() + b_->lab_host());
  const Outcome rest = place_.run(R"sh(
ridge submit m?.toml --on lab.toml --hosts any --experiment kills >out
ridge runs experiments runs.db kills | head -1
ridge runs experiments runs.db --format csv | cut -d, -f1-7
ridge runs experiments runs.db 1 --format json | grep -o '"runtimes":.*' |
  sed -e 's/{"name":"[oj].*{"name":"null"/{"name":"null"/' -e 's/version":"[^"]*"/version":"V"/' -e 's/[0-9a-f]\{64\}/HASH/')sh");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(stored(), "(8, 8)\n");
  EXPECT_TRUE(has(rest.out,
                  "experiment 1: kills: done; 8 of 8 points measured, 0 failed, "
                  "0 waiting\n"
                  "experiment,name,state,points,measured,failed,waiting\n"
                  "1,kills,done,8,8,0,0\n"))
      << rest.out;
  EXPECT_TRUE(has(rest.out, "\"models\":[{\"model\":\"plain.onnx\",\"sha256\":\"HASH\",\"bytes\":"))
      << rest.out;
}

TEST_F(SubmitSlow, AnExperimentKeepsWhyAPointFailed) {
  write_text(place_.folder() / "there/bad.toml",
             "verb = \"eval\"\nmodel = \"plain.onnx\"\nruntime = [\"null\"]\nduration = \"50ms\"\n"
             "runtime-option = [\"ridge.crash_after=1\"]\n");
  const Outcome o = place_.run(R"sh(
ridge submit bad.toml --on lab.toml --hosts any >out 2>err && echo done || echo status $?
ridge runs experiments runs.db bad | sed -n 1p
ridge runs experiments runs.db bad --format csv)sh");
  EXPECT_TRUE(has(o.out,
                  "status 1\nexperiment 1: bad: done; 0 of 1 point measured, 1 failed, 0 "
                  "waiting\n"))
      << o.out << o.err;
}

TEST(SubmitLocalSlow, AnAgentBesideNeedsNoSsh) {
  const Workplace place;
  write_text(place.folder() / "there/lab.toml", "store = \"runs.db\"\n[[host]]\nname = \"here\"\n");
  write_text(
      place.folder() / "there/m.toml",
      "verb = \"eval\"\nmodel = \"plain.onnx\"\nruntime = [\"null\"]\nduration = \"50ms\"\n");
  const Outcome o = place.run(
      "export XDG_CACHE_HOME=$PWD/cache\nridge submit m.toml --on lab.toml --format json");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "\"state\":\"done\"")) << o.out;
}

}  // namespace
}  // namespace ridge::tests
