// SPDX-License-Identifier: Apache-2.0
// Which samples of a performance run LoadGen 6.0.17 writes to the accuracy log: the audit TEST01.
//
//   LoggedSamples logged(settings, {total, performance});
//   if (logged.next()) log.add(sequence, sample, output);   // once per sample, in order of issue
//
// Each sample draws a number from 0 to 1 (the generator always begins with the same seed);
// accuracy_log_rng_seed draws an offset, and the sample is logged if the sum, without its integer
// part, is at most accuracy_log_probability. With accuracy_log_sampling_target the probability is
// that number over the number of samples expected (loadgen.cc, issue_query_controller.h). In
// accuracy mode all are logged. By the distributions of libstdc++, as loadgen_order.h.
// TEST04 is performance_issue_unique against performance_issue_same. Thread rule: one thread.
#pragma once

#include <random>

#include "scenario/loadgen_settings.h"

namespace ridge::scenario {

class LoggedSamples {
 public:
  LoggedSamples(const LoadgenSettings& settings, const SampleCounts& counts);
  bool next();

 private:
  std::mt19937 random_;
  double offset_ = 0, probability_ = 0;
};

}  // namespace ridge::scenario
