// Errors across the C interface.
#pragma once

#include "base/error.h"
#include "runtime/abi.h"

namespace ridge::ort {

/// Writes `error` into the caller's struct (nullptr allowed), as far as its `size` reaches, and
/// gives the status to return.
RidgeStatus fill_error(const Error& error, RidgeError* out);

}  // namespace ridge::ort
