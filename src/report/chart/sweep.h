// SPDX-License-Identifier: Apache-2.0
// Charts of a sweep: latency and throughput over each size that varies, and over threads.
//
//   out += sweep_charts(sweep);
//
// A line joins points that differ in the size alone. Sizes that vary together have one chart, over
// the first by name. Names are untrusted text and escaped here.
#pragma once

#include <string>

#include "profile/sweep.h"

namespace ridge::report {

/// "" where neither a size nor the number of threads varies.
std::string sweep_charts(const profile::Sweep& sweep);

}  // namespace ridge::report
