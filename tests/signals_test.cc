// SPDX-License-Identifier: Apache-2.0
// Programs that signals end: what they have measured, what they leave behind.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Starts an evaluation of 20 s in the background, with its temporary files in `aside`, and waits
/// until its load has begun: until its child has a folder there.
constexpr const char* kStart = R"(
mkdir -p aside; export TMPDIR=$PWD/aside
start() {
  before=$(ls aside | wc -l)
  ridge eval plain.onnx --runtimes null --duration 20s --format json > $1.json 2> $1.txt & pid=$!
  for i in $(seq 400); do [ $(ls aside | wc -l) -gt $before ] && break; sleep 0.05; done
  sleep 1
}
children() { cat /proc/$1/task/$1/children; }
gone() { for i in $(seq 100); do kill -0 $1 2>/dev/null || return 0; sleep 0.1; done; return 1; }
)";

TEST(SignalsSlow, AHangUpKeepsWhatWasMeasuredAndEndsTheChild) {
  for (const std::string signal : {"HUP", "TERM", "INT"}) {
    SCOPED_TRACE(signal);
    const Workplace place;
    const Outcome o = place.run(
        std::string(kStart) +
        "set +e; set -m\nstart a; child=$(children $pid); [ -n \"$child\" ] || echo none\nkill -" +
        signal +
        " $pid; wait $pid; echo status $?\ngone $child || echo child\n"
        "ls aside; cat a.txt >&2");
    EXPECT_EQ(o.out, "status 130\n") << o.err;
    const auto document = nlohmann::json::parse(read_text(place.folder() / "there/a.json"), nullptr,
                                                /*allow_exceptions=*/false);
    ASSERT_FALSE(document.is_discarded());
    EXPECT_EQ(document["points"].size(), 1U);
  }
}

TEST(SignalsSlow, AProgramThatIgnoresHangUpsGoesOn) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStart) +
                              "set +e; trap '' HUP\nstart a\nkill -HUP $pid; sleep 1\n"
                              "kill -0 $pid && echo runs; kill -TERM $pid; wait $pid; echo $?");
  EXPECT_EQ(o.out, "runs\n130\n") << o.err;
}

TEST(SignalsSlow, WhatAKilledProgramLeavesIsRemovedByTheNext) {
  const Workplace place;
  const Outcome o =
      place.run(std::string(kStart) +
                "set +e\nstart a; killed=$(ls aside); first=$pid\n"
                "start b; second=$pid\n"
                "kill -9 $first; wait $first; echo killed $?\n"
                "[ -n \"$killed\" ] && [ -e aside/$killed ] && echo left\n"
                "ridge eval plain.onnx --runtimes null --duration 50ms > /dev/null 2>&1\n"
                "[ -e aside/$killed ] || echo removed\n"
                "ls aside | grep -c \"^ridge-$second-\"\n"
                "kill -TERM $second; wait $second; ls aside");
  EXPECT_EQ(o.out, "killed 137\nleft\nremoved\n1\n") << o.err;
}

TEST(SignalsSlow, TheChildOfAKilledProgramEndsAndRemovesTheWeightsThatItMapped) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  write_text(place.folder() / "there/kill.sh", R"sh(
mkdir aside; export TMPDIR=$PWD/aside
mount -t tmpfs none /dev/shm
ridge profile zoo:squeezenet1_1 --processes 1 --budget 30s > a.json 2> a.txt & pid=$!
for i in $(seq 400); do [ -n "$(ls /dev/shm)" ] && break; sleep 0.05; done; sleep 1
child=$(cat /proc/$pid/task/$pid/children)
ls /dev/shm | wc -l
kill -9 $pid; wait $pid; echo killed $?
for i in $(seq 100); do [ -e /proc/${child% } ] || break; sleep 0.1; done
[ -n "$child" ] && [ ! -e /proc/${child% } ] && echo gone
ls /dev/shm | wc -l
)sh");
  // A folder of its own in memory, so that no other program removes what is left in it.
  const Outcome o = place.run("unshare --map-root-user --mount sh kill.sh");
  EXPECT_EQ(o.out, "1\nkilled 137\ngone\n0\n") << o.err;
}

TEST(SignalsSlow, WithoutATemporaryFolderNothingRunsAndTheMessageSaysWhy) {
  const Workplace place;
  const Outcome missing =
      place.run("TMPDIR=$PWD/nowhere ridge eval plain.onnx --runtimes null --duration 50ms");
  EXPECT_EQ(missing.status, 4);
  EXPECT_NE(missing.err.find("error: there is no folder for temporary files: No such file or "
                             "directory\n  hint: TMPDIR names it"),
            std::string::npos)
      << missing.err;
}

}  // namespace
}  // namespace ridge::tests
