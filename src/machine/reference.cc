// SPDX-License-Identifier: Apache-2.0
#include "machine/reference.h"

#include <algorithm>
#include <array>
#include <functional>

#include "kernels/cpu/stream.h"
#include "stats/samples.h"

namespace ridge::machine {
namespace {

// A pass takes about as long as a scheduler time slice, so that it is affected by programs that
// share the processor.
constexpr std::size_t kPasses = 3;
constexpr std::int64_t kSteps = 1'500'000;  // steps of 24 instructions
constexpr std::int64_t kReads = 8;          // passes over the whole memory
constexpr std::size_t kElements = (std::size_t{16} << 20) / sizeof(float);
constexpr std::size_t kAligned = 64 / sizeof(float);

/// Returns the narrowest kernel: every processor supports it, and none lowers its clock for it.
template <typename Kernel>
const Kernel& baseline(std::span<const Kernel> kernels, std::string_view name) {
  return *std::find_if(kernels.begin(), kernels.end(),
                       [&](const Kernel& k) { return k.name == name; });
}

const kernels::ComputeKernel& multiply_add() {
  return baseline(kernels::compute_kernels(), "mul_add_baseline");
}

std::int64_t median_of_passes(const Clock& clock, const std::function<void()>& pass) {
  std::vector<double> times;
  for (std::size_t i = 0; i < kPasses; ++i) {
    const Nanos start = clock.now();
    pass();
    times.push_back(static_cast<double>((clock.now() - start).count));
  }
  return static_cast<std::int64_t>(stats::median(times));
}

}  // namespace

ReferenceKernels::ReferenceKernels(const Clock& clock)
    : clock_(clock), registers_(multiply_add()), memory_(kElements + kAligned, 1.0f) {}

std::vector<ReferenceTime> ReferenceKernels::read() {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data()) / sizeof(float);
  const float* aligned = memory_.data() + (kAligned - address % kAligned) % kAligned;
  const kernels::StreamArrays arrays{.a = nullptr, .b = aligned, .elements = kElements};
  const auto& stream = baseline(kernels::stream_kernels(), "read_baseline");
  return {{"multiply-add", median_of_passes(clock_,
                                            [&] {
                                              multiply_add().run(registers_.accumulators(),
                                                                 registers_.operands(), kSteps);
                                            })},
          {"read", median_of_passes(clock_, [&] { stream.run(arrays, kReads); })}};
}

}  // namespace ridge::machine
