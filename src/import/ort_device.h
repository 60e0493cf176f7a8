// SPDX-License-Identifier: Apache-2.0
// Kernels that an asynchronous provider of ONNX Runtime ran on a device, and the node events that
// launched them.
//
//   const std::vector<std::uint32_t> by = launches_of(kernels, launches);
//   by[0]                               // position in `launches` of the event that launched it
//
// A kernel has the name of the node ("parent_name"), not of its execution. ONNX Runtime writes
// kernels directly after the event that launched them or, in other releases, all at the end. In
// the first case the position in the file decides. In the second, kernels of one node are executed
// in the order of their launches: if each execution can have the same number of kernels, they are
// dealt out in order, else a kernel belongs to the last execution that began before it.
// Cost: O(n log n). Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ridge::imports {

inline constexpr std::uint32_t kNoLaunch = 0xffffffff;

/// One execution of a node, in the order of the file.
struct OrtLaunch {
  std::uint32_t layer = 0;
  std::int64_t start_us = 0;
};

struct OrtDeviceKernel {
  std::uint32_t layer = kNoLaunch;  ///< layer of its parent; kNoLaunch: it names none
  std::int64_t start_us = 0, duration_us = 0;
  std::uint32_t after = kNoLaunch;  ///< launch directly before it in the file
};

std::vector<std::uint32_t> launches_of(std::span<const OrtDeviceKernel> kernels,
                                       std::span<const OrtLaunch> launches);

/// True for providers whose node events end when the work is queued: a device does it later. Also
/// for providers that are not known: their events may time launches.
bool launches_only(std::string_view provider);

}  // namespace ridge::imports
