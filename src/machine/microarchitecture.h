// SPDX-License-Identifier: Apache-2.0
// Throughput of the execution units of known processors, in instructions per cycle: the theory
// behind a measured roof.
//
// To support a new processor, add a row to the table in microarchitecture.cc. Sources: the vendors'
// optimization guides (AMD 57647 and 58455 for Zen 4 and 5, Intel 248966) and Agner Fog, "The
// microarchitecture of Intel, AMD and VIA CPUs". Thread rule: immutable.
#pragma once

#include <span>
#include <string_view>

#include "kernels/cpu/features.h"

namespace ridge::machine {

/// Instructions per cycle by vector width; 0 if the core has none of that width.
struct Rate {
  double bits256 = 0, bits512 = 0;
  double of(int vector_bits) const;
};

/// Units of one kind of core.
struct CoreUnits {
  Rate fma;          ///< float32 fused multiply-adds
  Rate dot;          ///< int8 dot products
  Rate load, store;  ///< from and to L1
};

struct Microarchitecture {
  std::string_view name;
  std::string_view vendor;
  int family = 0, first_model = 0, last_model = 0;
  const CoreUnits* core = nullptr;
  std::string_view brand;  ///< if not empty, a required part of the brand string
  bool hybrid = false;  ///< true with cores of a second, smaller kind; `core` describes the larger
};

std::span<const Microarchitecture> microarchitectures();

/// Returns the first matching row; nullptr if none matches.
const Microarchitecture* find_microarchitecture(const kernels::Identity& cpu);

}  // namespace ridge::machine
