// SPDX-License-Identifier: Apache-2.0
#include "import/ort_device.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace ridge::imports {
namespace {

using Positions = std::vector<std::uint32_t>;

/// True if kernels stand directly after their launches. One launch that all kernels follow is the
/// last one of a file with the kernels at the end.
bool interleaved(std::span<const OrtDeviceKernel> kernels, std::span<const OrtLaunch> launches) {
  std::unordered_set<std::uint32_t> followed;
  for (const OrtDeviceKernel& k : kernels) {
    if (k.layer == kNoLaunch) continue;
    if (k.after == kNoLaunch || launches[k.after].layer != k.layer) return false;
    followed.insert(k.after);
  }
  return followed.size() > 1 || launches.size() == 1;
}

/// Assigns the kernels of one node to its executions; both sorted by start.
void assign(std::span<const OrtDeviceKernel> kernels, const Positions& own,
            std::span<const OrtLaunch> launches, const Positions& executions, Positions& out) {
  const bool even = own.size() % executions.size() == 0;
  const std::size_t each = own.size() / executions.size();
  std::size_t last = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    while (!even && last + 1 < executions.size() &&
           launches[executions[last + 1]].start_us <= kernels[own[i]].start_us)
      ++last;
    out[own[i]] = executions[even ? i / each : last];
  }
}

}  // namespace

// Example: node a is launched at 0 and 10; its kernels run at 2, 4, 22 and 24, at the end of the
// file. Four kernels of two executions: two each, so those at 22 and 24 are of the second, though
// the device began them long after it was launched. With a fifth kernel at 26 the times decide: 2
// and 4 began after the first launch and before the second, 22, 24 and 26 after the second.
std::vector<std::uint32_t> launches_of(std::span<const OrtDeviceKernel> kernels,
                                       std::span<const OrtLaunch> launches) {
  Positions out(kernels.size(), kNoLaunch);
  if (interleaved(kernels, launches)) {
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (kernels[i].layer != kNoLaunch) out[i] = kernels[i].after;
    return out;
  }
  std::unordered_map<std::uint32_t, Positions> executions, of_layer;
  for (std::uint32_t i = 0; i < launches.size(); ++i) executions[launches[i].layer].push_back(i);
  for (std::uint32_t i = 0; i < kernels.size(); ++i) of_layer[kernels[i].layer].push_back(i);
  for (auto& [layer, own] : of_layer) {
    const auto found = executions.find(layer);
    if (found == executions.end()) continue;
    std::ranges::stable_sort(own, {}, [&](std::uint32_t i) { return kernels[i].start_us; });
    std::ranges::stable_sort(found->second, {},
                             [&](std::uint32_t i) { return launches[i].start_us; });
    assign(kernels, own, launches, found->second, out);
  }
  return out;
}

bool launches_only(std::string_view provider) {
  // Providers that return when the work is done, from their sources in onnxruntime/core/providers.
  constexpr std::array<std::string_view, 18> kWait = {
      "",
      "ACLExecutionProvider",
      "ArmNNExecutionProvider",
      "AzureExecutionProvider",
      "CPUExecutionProvider",
      "CoreMLExecutionProvider",
      "DnnlExecutionProvider",
      "MKLDNNExecutionProvider",
      "NGRAPHExecutionProvider",
      "NnapiExecutionProvider",
      "NupharExecutionProvider",
      "OpenVINOExecutionProvider",
      "QNNExecutionProvider",
      "RknpuExecutionProvider",
      "SNPEExecutionProvider",
      "TvmExecutionProvider",
      "VitisAIExecutionProvider",
      "XnnpackExecutionProvider",
  };
  return std::ranges::find(kWait, provider) == kWait.end();
}

}  // namespace ridge::imports
