// What the execution units of known processors can do in a cycle: the theory behind a measured
// roof.
//
// A table, not code: a new processor is a new row of microarchitecture.cc. Sources: the vendors'
// optimization guides (AMD 57647 and 58455 for Zen 4 and 5, Intel 248966) and Agner Fog, "The
// microarchitecture of Intel, AMD and VIA CPUs". Thread rule: immutable.
#pragma once

#include <span>
#include <string_view>

#include "kernels/cpu/features.h"

namespace ridge::machine {

/// Instructions of one vector width per cycle; 0 where the core has none of that width.
struct Rate {
  double bits256 = 0, bits512 = 0;
  double of(int vector_bits) const;
};

/// One kind of core.
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
  std::string_view brand;  ///< where not empty, the brand string must hold it
  bool hybrid = false;     ///< has cores of a second, smaller kind; `core` is the larger
};

std::span<const Microarchitecture> microarchitectures();

/// The first row that fits; nullptr where none does.
const Microarchitecture* find_microarchitecture(const kernels::Identity& cpu);

}  // namespace ridge::machine
