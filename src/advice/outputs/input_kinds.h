// SPDX-License-Identifier: Apache-2.0
// Kinds of elements of float inputs at which the outputs of two models are compared.
//
//   set_elements(InputKind::kNan, inputs);     // over seeded ones
//
// Elements change in every input of float32, float64, float16 or bfloat16; other inputs keep
// theirs, which must be valid. 1e20 is the largest finite number in a float16. Thread rule: pure.
// Cost: one pass over the elements.
#pragma once

#include <array>
#include <string_view>

#include "runtime/inputs/inputs.h"

namespace ridge::advice {

enum class InputKind : std::uint8_t {
  kSeeded,    ///< as they are
  kZeros,     ///< all 0
  kTiny,      ///< seeded ones times 1e-30
  kHundreds,  ///< seeded ones times 100, for which Exp overflows
  kLarge,     ///< every seventh is 1e20 or -1e20
  kNan,       ///< every seventh is NaN
  kInfinity,  ///< every seventh is infinite, of both signs
};

/// Kinds that models need not be made for: outputs that differ there alone differ for some values.
inline constexpr std::array kUnusualKinds = {InputKind::kTiny, InputKind::kHundreds,
                                             InputKind::kLarge, InputKind::kNan,
                                             InputKind::kInfinity};

/// "zeros", for people.
std::string_view name(InputKind kind);

/// False if no input has a type of floats, so that nothing changed.
bool set_elements(InputKind kind, runtime::Inputs& inputs);

}  // namespace ridge::advice
