// SPDX-License-Identifier: Apache-2.0
// Reference kernels that measure the current speed of the machine: they always do the same work,
// one multiplies and adds in registers, one reads 16 MiB repeatedly.
//
//   ReferenceKernels reference;
//   for (const ReferenceTime& t : reference.read()) fmt::print("{} {}\n", t.kernel, t.ns);
//
// A time is the median of three passes of about three milliseconds on one thread. A change between
// two readings is a change of the machine: its clock, other programs, other guests of the host.
// Times of one kernel are comparable only between runs on one machine. Ownership: owns the memory
// that it reads. Thread rule: one reading at a time. Cost: twenty milliseconds per reading, five
// for the constructor.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kernels/cpu/compute.h"

namespace ridge::machine {

struct ReferenceTime {
  std::string_view kernel;  ///< "multiply-add", "read"
  std::int64_t ns = 0;
};

class ReferenceKernels {
 public:
  explicit ReferenceKernels(const Clock& clock = steady_clock());
  /// Runs each kernel, always in the same order.
  std::vector<ReferenceTime> read();

 private:
  const Clock& clock_;
  kernels::ComputeBuffers registers_;
  std::vector<float> memory_;
};

}  // namespace ridge::machine
