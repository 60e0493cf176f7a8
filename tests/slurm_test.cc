// SPDX-License-Identifier: Apache-2.0
// ridge submit to a partition of a real Slurm of two nodes, by evaluations of the null runtime.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lab/slurm/testing.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

using lab::slurm::TestCluster;

/// Requests of `points` points, q0.toml ..., of different seeds, and a laboratory.
constexpr std::string_view kSetUp = R"(
cat >lab.toml <<'END'
store = "runs.db"
[[slurm]]
partition = "lab"
constraint = "both"
folder = "my jobs"
lease_s = 3
poll_s = 1
END
request() {{
  printf 'verb = "eval"\nmodel = "zoo:squeezenet1_1"\nruntime = "null"\nruntime-option = ["ridge.service=constant:1000"]\nduration = "%s"\nseed = %s\n' $2 $1
}}
for i in $(seq {points}); do request $i {duration} >q$i.toml; done
count() {{ ridge runs list runs.db --format json | grep -o '"evaluation":' | wc -l; }}
)";

std::string set_up(int points, std::string_view duration) {
  return fmt::format(kSetUp, fmt::arg("points", points), fmt::arg("duration", duration));
}

class SlurmSlow : public testing::Test {
 protected:
  void SetUp() override {
    cluster_ = TestCluster::get();
    if (cluster_ == nullptr) GTEST_SKIP() << "no Slurm: apt install slurm-wlm munge";
  }

  /// Runs a script among `points` requests whose evaluations take `duration`.
  static Outcome run(const Workplace& place, int points, std::string_view duration,
                     std::string_view script) {
    return place.run(set_up(points, duration) + std::string(script));
  }

  TestCluster* cluster_ = nullptr;
};

TEST_F(SlurmSlow, TwoPointsComeIntoOneStoreAndAreNotMeasuredAgain) {
  const Workplace place;
  const Outcome o = run(place, 2, "100ms", R"(
ridge submit q1.toml q2.toml --on lab.toml
count
ridge submit q1.toml q2.toml --on lab.toml --format json | grep -o '"state":"held"'
count
ls "my jobs/submissions" | cut -c1-6)");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "2\n\"state\":\"held\"\n\"state\":\"held\"\n2\n000001\n"))
      << o.out << o.err;
  EXPECT_TRUE(has(o.err, "submitted 2 points as job ")) << o.err;
}

TEST_F(SlurmSlow, AnExperimentKnowsPointsAndNodesAlsoOfAnEarlierCall) {
  const Workplace place;
  const Outcome o = run(place, 2, "100ms", R"(
show() {
  ridge runs experiments runs.db --format csv | cut -d, -f1-7
  ridge runs experiments runs.db $1 --format json | grep -o '"name":"lab[^,]*\|"title":"[^"]*"' | sort -u
}
ridge submit q1.toml q2.toml --on lab.toml >/dev/null 2>&1
show q1 | grep -v lab/
ridge runs experiments runs.db q1 --format json | grep -c '"name":"lab/n[12]".*"state":"ended"'
ridge submit q1.toml q2.toml --on lab.toml --experiment again >/dev/null 2>&1
show again | sed -n 1,3p)");
  EXPECT_EQ(o.out,
            "experiment,name,state,points,measured,failed,waiting\n"
            "1,q1,done,2,2,0,0\n"
            "\"name\":\"lab\"\n\"title\":\"null\"\n2\n"
            "experiment,name,state,points,measured,failed,waiting\n"
            "2,again,done,2,2,0,0\n1,q1,done,2,2,0,0\n")
      << o.err;
}

TEST_F(SlurmSlow, WhatTheClusterLacksIsNamed) {
  const Workplace place;
  const Outcome o = run(place, 1, "100ms", R"(
sed 's/"lab"/"nowhere"/' lab.toml >nowhere.toml
ridge submit q1.toml --on nowhere.toml || echo status $?
ridge submit q1.toml --on lab.toml --need avx9000 >/dev/null || echo status $?
ridge submit q1.toml --on lab.toml --need memory=900GiB >/dev/null || echo status $?
ridge submit q1.toml --on lab.toml --need tag=gpu --format json | grep -o '"reasons":.*')");
  EXPECT_EQ(o.out,
            "status 3\nstatus 1\nstatus 1\n"
            "\"reasons\":[\"needs tag gpu; lab has no tags\"]}\n")
      << o.err;
  EXPECT_TRUE(has(o.err,
                  "error: nowhere: the cluster has no such partition\n"
                  "  sbatch: error: invalid partition specified: nowhere; sbatch: error: Batch job "
                  "submission failed: Invalid partition name specified\n"
                  "  hint: sinfo lists partitions; name one with 'partition' in lab.toml\n"
                  "  [RIDGE-LAB-0304]\n"))
      << o.err;
  EXPECT_TRUE(has(o.err,
                  "asked for --partition=lab --constraint=both&avx9000: sbatch: error: Batch job "
                  "submission failed: Invalid feature specification\n"
                  "  hint: sinfo -o '%N %f' lists the features of nodes\n"
                  "  [RIDGE-LAB-0305]\n"))
      << o.err;
  EXPECT_TRUE(has(o.err, "[RIDGE-LAB-0306]\n")) << o.err;
}

TEST_F(SlurmSlow, AJobBeyondItsMemoryIsNamedAndNotTriedAgain) {
  const Workplace place;
  const Outcome o = run(place, 1, "3s", R"(
ridge submit q1.toml --on lab.toml --need memory=1MB || echo status $?
ls "my jobs/submissions" | cut -c1-6)");
  EXPECT_TRUE(has(o.out, "status 1\n000001\n")) << o.out << o.err;
  EXPECT_TRUE(has(o.err, "Slurm ended the job for its memory\n")) << o.err;
  EXPECT_TRUE(has(o.err, "[RIDGE-LAB-0314]\n")) << o.err;
}

TEST_F(SlurmSlow, ACallThatWasKilledGoesOnWithTheJobsThatItSubmitted) {
  const Workplace place;
  const Outcome o = run(place, 4, "1s", R"(
ridge submit q?.toml --on lab.toml & ridge=$!
until ls "my jobs"/points/*/000001-*/started >/dev/null 2>&1; do sleep 0.1; done
kill -9 $ridge
ridge submit q?.toml --on lab.toml >/dev/null
count
ls "my jobs/submissions" | cut -c1-6)");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.out, "4\n000001\n") << o.err;
}

TEST_F(SlurmSlow, AnInterruptCancelsAllAndTheNextCallMeasuresTheRest) {
  const Workplace place;
  const Outcome o = run(place, 3, "1500ms", R"(
ridge submit q?.toml --on lab.toml >/dev/null & ridge=$!
until ls "my jobs"/points/*/000001-*/started >/dev/null 2>&1; do sleep 0.1; done
kill -INT $ridge
wait $ridge || echo status $?
until [ $(squeue -h | wc -l) = 0 ]; do sleep 0.1; done
ridge submit q?.toml --on lab.toml >/dev/null
count
ls "my jobs/submissions" | cut -c1-6)");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.out, "status 130\n3\n000001\n000002\n") << o.err;
  EXPECT_EQ(cluster_->left(), "[]");
}

TEST_F(SlurmSlow, AControllerThatIsAwayIsWaitedFor) {
  const Workplace place;
  cluster_->kill("controller");
  const Outcome away = run(place, 2, "100ms", R"(
ridge submit q?.toml --on lab.toml >out 2>err & echo $! >pid
until grep -q 'does not answer; waiting' err; do sleep 0.1; done)");
  EXPECT_EQ(away.status, 0) << away.err;
  cluster_->start("controller");
  const Outcome back = run(place, 2, "100ms", R"(
tail --pid=$(cat pid) -f /dev/null
count
grep -c answers err)");
  EXPECT_EQ(back.out, "2\n1\n") << back.err << read_text(place.folder() / "err");
}

TEST_F(SlurmSlow, AProcessThatOutlivesNodeDaemonAndStepIsWaitedFor) {
  const Workplace place;
  const Outcome begun = run(place, 1, "5s", R"(
sed -i 's/"both"/"fast"/' lab.toml
ridge submit q1.toml --on lab.toml >out 2>err & echo $! >pid
until [ -s "my jobs"/points/*/000001-*/alive ]; do sleep 0.1; done)");
  EXPECT_EQ(begun.status, 0) << begun.err;
  cluster_->kill("n1");
  cluster_->kill("step n1");
  const Outcome ended = run(place, 1, "5s", R"(
tail --pid=$(cat pid) -f /dev/null
count
ls "my jobs/submissions" | cut -c1-6)");
  EXPECT_EQ(ended.out, "1\n000001\n") << ended.err << read_text(place.folder() / "err");
  cluster_->start("n1");
}

TEST_F(SlurmSlow, AJobWhoseProcessesAreGoneIsSubmittedAgain) {
  const Workplace place;
  const Outcome begun = run(place, 1, "1s", R"(
sed -i 's/"both"/"slow"/' lab.toml
ridge submit q1.toml --on lab.toml >out 2>err & echo $! >pid
until [ -s "my jobs"/points/*/000001-*/alive ]; do sleep 0.1; done)");
  EXPECT_EQ(begun.status, 0) << begun.err;
  cluster_->kill("job n2");
  const Outcome ended = run(place, 1, "1s", R"(
tail --pid=$(cat pid) -f /dev/null
count
ls "my jobs/submissions" | cut -c1-6
grep -c 'it is submitted again' err)");
  EXPECT_EQ(ended.out, "1\n000001\n000002\n1\n") << ended.err << read_text(place.folder() / "err");
  EXPECT_EQ(cluster_->left(), "[]");
}

TEST(Slurm, ADryRunShowsWhatWouldBeSubmittedWithoutACluster) {
  const Workplace place;
  const Outcome o = place.run(set_up(1, "1s") + R"(
ridge submit q1.toml --on lab.toml --dry-run
ls -d "my jobs" 2>/dev/null || echo nothing made)");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.err, "sbatch --parsable --no-requeue ")) << o.err;
  EXPECT_TRUE(has(o.err, "--exclusive --partition=lab --constraint=both ")) << o.err;
  EXPECT_TRUE(has(o.err, "  0: ridge eval --request q1.toml --point ")) << o.err;
  EXPECT_TRUE(has(o.out, "nothing made")) << o.out;
}

TEST(Slurm, AMachineWithoutSlurmIsNamed) {
  const Workplace place;
  const Outcome o = place.run(set_up(1, "1s") + R"(
program=$(command -v ridge)
env PATH=/nowhere $program submit q1.toml --on lab.toml || echo $?)");
  EXPECT_EQ(o.out, "4\n") << o.err;
  EXPECT_TRUE(has(o.err,
                  "error: lab: squeue is not installed on this machine\n"
                  "  hint: call ridge where jobs are submitted, or apt install slurm-client\n"
                  "  [RIDGE-LAB-0301]\n"))
      << o.err;
}

}  // namespace
}  // namespace ridge::tests
