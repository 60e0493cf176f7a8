// SPDX-License-Identifier: Apache-2.0
// The folder of the daemon of `ridge share`.
#pragma once

#include <string>

namespace ridge::cli {

/// $XDG_RUNTIME_DIR/ridge if that is set to an absolute path (XDG Base Directory Specification),
/// else /tmp/ridge-UID. Who uses it checks that it is private (sharing/run/socket_place.h).
std::string share_folder();

}  // namespace ridge::cli
