// How fast the machine is just now: two kernels of our own that do the same work every time, one
// that multiplies and adds in registers, one that reads 16 MiB over and over.
//
//   ReferenceKernels reference;
//   for (const ReferenceTime& t : reference.read()) fmt::print("{} {}\n", t.kernel, t.ns);
//
// A time is the median of three passes of about three milliseconds on one thread. Where it changes
// between two readings, the machine did: its clock, what other programs do, what other guests of
// the host do. Times of one kernel are comparable between runs of one machine only. Ownership: owns
// what it reads. Thread rule: one reading at a time. Cost: a reading twenty milliseconds, making it
// five.
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
  /// Each kernel once, in the same order.
  std::vector<ReferenceTime> read();

 private:
  const Clock& clock_;
  kernels::ComputeBuffers registers_;
  std::vector<float> memory_;
};

}  // namespace ridge::machine
