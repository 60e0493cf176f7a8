// SPDX-License-Identifier: Apache-2.0
// The child process of a load: reads a file into sealed memory and hands the memory over.
//
//   if (argc > 1 && argv[1] == kLoadArgument) return load_main();    // first thing in main
//
// Descriptors 3 and 4 are as ipc/process.h has them. It ends with the process that started it. The
// file is read by position and never mapped, so that one that shrinks meanwhile is an error; one
// that is not the version asked for, before or after, is refused.
//
// Errors: RIDGE-SHARE-0030 (input class: the file has changed), 0031 and 0032
// (environment class: no memory; the file cannot be looked at).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "sharing/record/load_messages.h"

namespace ridge::sharing {

/// First argument of the program where it is such a child.
inline constexpr std::string_view kLoadArgument = "--share-load";

/// Returns the exit status for main.
int load_main();

/// The version of an open file, and of the one at a path. Error: it cannot be looked at.
Result<FileVersion> version_of(int descriptor, const std::string& path);
Result<FileVersion> version_at(const std::string& path);

struct SealedFile {
  ipc::Descriptor memory;  ///< for reading; nobody can write, shrink or enlarge it
  FileLoaded facts;
};

/// Reads a file; what the child does.
Result<SealedFile> read_sealed(const LoadFile& file);

}  // namespace ridge::sharing
