// SPDX-License-Identifier: Apache-2.0
// Opens a runtime plug-in in this process. Only the child does that.
#pragma once

#include <string>

#include "base/result.h"
#include "runtime/abi.h"

namespace ridge::runtime {

/// Returns the plug-in's functions, valid for the life of the process; those that its version of
/// the interface lacks are null, and so are their capabilities. Environment errors: missing, not
/// loadable, another interface version. Thread rule: one thread.
Result<const RidgeRuntimeApi*> open_plugin(const std::string& path);

/// Returns success, or the Error that the plug-in reported.
Result<void> check(RidgeStatus status, const RidgeError& error);

/// Returns an empty RidgeError to pass to calls.
RidgeError no_error();

}  // namespace ridge::runtime
