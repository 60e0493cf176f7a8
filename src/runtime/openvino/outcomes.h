// SPDX-License-Identifier: Apache-2.0
// Error codes of the OpenVINO plug-in that the C interface converts to statuses of their own.
#pragma once

#include "runtime/abi_error.h"

namespace ridge::openvino {

inline constexpr char kOutOfMemory[] = "RIDGE-OV-0030";
inline constexpr char kCanceled[] = "RIDGE-OV-0031";
inline constexpr runtime::OutcomeCodes kOutcomes{kOutOfMemory, kCanceled};

}  // namespace ridge::openvino
