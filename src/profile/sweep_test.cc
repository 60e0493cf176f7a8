// SPDX-License-Identifier: Apache-2.0
#include "profile/sweep.h"

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

/// Profile of three processes with eight runs each around `ns`, half a percent apart.
Profile point(std::int64_t batch, std::int64_t threads, std::int64_t ns) {
  Profile p;
  p.subject.bindings["batch"] = {batch, false};
  p.subject.threads = threads;
  p.batch = batch;
  for (const std::int64_t off : {-5, 0, 5}) {
    Process process;
    for (int i = 0; i < 8; ++i) process.samples_ns.push_back(ns + ns * off / 1000 + i % 2);
    p.latency.processes.push_back(std::move(process));
  }
  p.latency.ns.value = static_cast<double>(ns);
  p.items_per_s = 1e9 * static_cast<double>(batch) / static_cast<double>(ns);
  return p;
}

using Texts = std::vector<std::string>;

TEST(Sweep, SaysWhatMoreThreadsDidAndNothingOfTheBatch) {
  EXPECT_EQ((Sweep{{point(1, 1, 1'000'000), point(1, 2, 1'515'000)}}).findings(),
            (Texts{"2 threads: 0.66 x the throughput of 1 [0.65, 0.67]."}));
}

TEST(Sweep, SaysWhatEachAxisDidWithEachValueOfTheOthers) {
  const Sweep sweep{{point(1, 1, 1'000'000), point(2, 1, 1'000'000), point(4, 1, 4'000'000),
                     point(1, 2, 500'000), point(2, 2, 400'000)}};
  EXPECT_EQ(
      sweep.findings(),
      (Texts{"2 threads: 2.00 x the throughput of 1 [1.97, 2.04] with batch=1, 2.50 x [2.46, 2.54] "
             "with batch=2.",
             "batch=2: 2.00 x the throughput of batch=1 [1.97, 2.04] with 1 thread, 2.50 x [2.46, "
             "2.54] with 2 threads; batch=4: 1.00 x [0.98, 1.02] with 1 thread.",
             "Doubling the batch from 2 adds at most 5 % throughput."}));
}

Profile in(const std::string& runtime, Profile p) {
  p.subject.runtime = runtime;
  return p;
}

TEST(Sweep, SaysWhatAnotherRuntimeDidBesideTheFirst) {
  const Sweep sweep{{in("OpenVINO", point(1, 1, 1'000'000)), in("OpenVINO", point(1, 2, 500'000)),
                     in("ONNX Runtime", point(1, 1, 2'000'000)),
                     in("ONNX Runtime", point(1, 2, 2'000'000))}};
  EXPECT_EQ(sweep.findings(),
            (Texts{"ONNX Runtime: 0.50 x the throughput of OpenVINO [0.49, 0.51] with 1 thread, "
                   "0.25 x [0.25, 0.25] with 2 threads.",
                   "2 threads: 2.00 x the throughput of 1 [1.97, 2.04] with OpenVINO, 1.00 x "
                   "[0.98, 1.02] with ONNX Runtime."}));
  EXPECT_EQ(sweep.points()[2].label, "ONNX Runtime, batch=1, 1 thread");
  EXPECT_EQ(sweep.points()[2].runtime, "ONNX Runtime");
}

TEST(Sweep, ABatchIsDoubledInOneRuntime) {
  EXPECT_FALSE(
      (Sweep{{in("a", point(1, 1, 1'000'000)), in("b", point(2, 1, 2'000'000))}}).knee_batch());
}

TEST(Sweep, SaysWhereTooLittleWasMeasuredToTell) {
  Profile few = point(1, 2, 1'500'000);
  few.latency.processes.resize(1);
  few.latency.processes[0].samples_ns.resize(3);
  EXPECT_EQ((Sweep{{point(1, 1, 1'000'000), few}}).findings(),
            (Texts{"2 threads: 0.67 x the throughput of 1 (too few runs to tell)."}));
  Profile apart = point(1, 2, 1'500'000);
  apart.latency.processes.resize(2);
  for (std::int64_t& ns : apart.latency.processes[1].samples_ns) ns *= 2;
  EXPECT_NE(
      (Sweep{{point(1, 1, 1'000'000), apart}}).findings()[0].find("(too few processes to tell)"),
      std::string::npos);
}

}  // namespace
}  // namespace ridge::profile
