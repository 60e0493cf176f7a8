// SPDX-License-Identifier: Apache-2.0
#include "machine/theory.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/microarchitecture.h"

namespace ridge::machine {
namespace {

struct Basis {
  const CoreUnits* units = nullptr;
  std::string reason;
};

/// Returns the units to calculate with, or the reason why there are none.
Basis basis(const Host& host, const Pace& pace) {
  const Microarchitecture* known = find_microarchitecture(host.cpu);
  if (known == nullptr) {
    return {nullptr, fmt::format("family {} model {} is not in the table of microarchitectures",
                                 host.cpu.family, host.cpu.model)};
  }
  if (known->hybrid && pace.cores > 1) {
    return {nullptr, "this processor has cores of two kinds"};
  }
  if (!pace.clock_hz) return {nullptr, "the clock cannot be measured on this processor"};
  return {known->core, ""};
}

/// Vector widths supported by both the processor and the operating system.
std::vector<int> usable_widths(const kernels::Features& features) {
  std::vector<int> out;
  if (features.avx512) out.push_back(512);
  if (features.avx2) out.push_back(256);
  return out;
}

bool has_dot(const kernels::Features& features, int width) {
  return width == 512 ? features.avx512_vnni : features.avx_vnni;
}

}  // namespace

Theory compute_theory(const Host& host, std::string_view dtype, const Pace& pace) {
  const Basis b = basis(host, pace);
  if (b.units == nullptr) return {std::nullopt, b.reason};
  const bool int8 = dtype == "int8";
  double per_cycle = 0;  // multiply-adds
  for (const int width : usable_widths(host.features)) {
    if (int8 && !has_dot(host.features, width)) continue;
    const double lanes = int8 ? width / 8.0 : width / 32.0;
    per_cycle = std::max(per_cycle, lanes * (int8 ? b.units->dot : b.units->fma).of(width));
  }
  if (per_cycle <= 0) return {std::nullopt, "no vector unit for this type is in the table"};
  return {2 * per_cycle * pace.cores * *pace.clock_hz, ""};
}

Theory stream_theory(const Host& host, kernels::StreamKind kind, std::string_view level,
                     const Pace& pace) {
  if (level == "memory") {
    return {std::nullopt, "the speed of the memory modules cannot be read"};
  }
  if (level != "L1") {
    return {std::nullopt,
            "no published figure holds for this level: prefetch and evictions share it"};
  }
  const Basis b = basis(host, pace);
  if (b.units == nullptr) return {std::nullopt, b.reason};
  const bool writes = kind != kernels::StreamKind::kRead;
  const int reads = kernels::arrays_of(kind) - (writes ? 1 : 0);
  double per_cycle = 0;  // bytes
  for (const int width : usable_widths(host.features)) {
    const double loads = b.units->load.of(width), stores = b.units->store.of(width);
    if (loads <= 0 || stores <= 0) continue;
    const double cycles = std::max(reads / loads, writes ? 1 / stores : 0);
    per_cycle = std::max(per_cycle, kernels::arrays_of(kind) * (width / 8.0) / cycles);
  }
  if (per_cycle <= 0) return {std::nullopt, "no vector unit is in the table"};
  return {per_cycle * pace.cores * *pace.clock_hz, ""};
}

}  // namespace ridge::machine
