// SPDX-License-Identifier: Apache-2.0
// Converts errors to the C interface, for plug-ins.
#pragma once

#include <string_view>

#include "base/error.h"
#include "runtime/abi.h"

namespace ridge::runtime {

/// The plug-in's error codes for two outcomes that have a status of their own.
struct OutcomeCodes {
  std::string_view out_of_memory, canceled;
};

/// Writes `error` into the caller's struct (nullptr allowed) if its `size` covers RidgeError, and
/// returns the status.
RidgeStatus fill_error(const Error& error, const OutcomeCodes& codes, RidgeError* out);

/// Converts the exception being handled, for a plug-in named `plugin`: out of memory, else a bug.
Error caught_error(const OutcomeCodes& codes, std::string_view plugin);

}  // namespace ridge::runtime
