// SPDX-License-Identifier: Apache-2.0
// What is checked of a shared library's path before the loader opens it.
//
//   if (std::string why = not_a_library(path); !why.empty()) ...   // "x.so is a named pipe, ..."
//
// The loader opens a named pipe for reading and waits until someone writes to it; a device may
// answer for ever. Thread rule: pure function of the file system.
#pragma once

#include <string>

namespace ridge::runtime {

/// Why `path` cannot be a shared library, if something other than a regular file is there; else "".
/// A path that leads to nothing, and a name without a slash, which the loader searches for, are
/// left to the loader, whose message says more.
std::string not_a_library(const std::string& path);

}  // namespace ridge::runtime
