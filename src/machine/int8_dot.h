// SPDX-License-Identifier: Apache-2.0
// Whether this processor multiplies bytes as fast as int8 models need.
//
//   if (has_int8_dot(host)) ...   // one instruction adds four products of bytes to an int32
//
// VNNI on x86-64 (VPDPBUSD of AVX-512 or AVX), which all processors with AMX also have. Without it
// a runtime multiplies and adds pairs in int16 first (VPMADDUBSW), which is slower and saturates
// where two products are large: int8 weights must then stay within 7 bits. Of Arm processors Host
// lists no instruction sets, so the answer is false. Thread rule: pure.
#pragma once

#include "machine/host.h"

namespace ridge::machine {

inline bool has_int8_dot(const Host& host) {
  return host.features.avx512_vnni || host.features.avx_vnni;
}

}  // namespace ridge::machine
