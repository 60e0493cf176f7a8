// SPDX-License-Identifier: Apache-2.0
// Which options of a runtime may come from a file: a lock, a manifest, a spec.
//
//   TRY(check_read_option("session.inter_op.allow_spinning"));    // fine
//   TRY(check_read_option("ep.context_file_path"));               // RIDGE-RT-0090
//
// A file may be somebody else's. Options that name a library would run its code, and others write
// files where they say; so a file may state the options of this list alone, each of which takes a
// number or a word, and everything else is for the command line. Thread rule: pure function.
#pragma once

#include <string_view>

#include "base/result.h"

namespace ridge::runtime {

/// Input error (RIDGE-RT-0090) unless `key` is known to name neither a library nor a file.
Result<void> check_read_option(std::string_view key);

}  // namespace ridge::runtime
