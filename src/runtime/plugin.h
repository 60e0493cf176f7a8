// A runtime plug-in, opened in this process. Only the child does that.
#pragma once

#include <string>

#include "base/result.h"
#include "runtime/abi.h"

namespace ridge::runtime {

/// The plug-in's functions, for the life of the process. Environment errors: not there, not
/// loadable, speaks another version.
Result<const RidgeRuntimeApi*> open_plugin(const std::string& path);

/// Success, or the Error that the plug-in reported.
Result<void> check(RidgeStatus status, const RidgeError& error);

/// An empty RidgeError to pass in.
RidgeError no_error();

}  // namespace ridge::runtime
