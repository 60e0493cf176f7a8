// SPDX-License-Identifier: Apache-2.0
// Checks the files that a verb will write before it begins: that they can be created, that none is
// an input, and that no two are one. So nothing is measured in vain, and no input is lost.
//
//   TRY(check_outputs(flags));   // after parsing
//
// An input is every file that another flag names: by its path, in `name=FILE`, `runs.db:7` or
// `labels(FILE)`, in a folder, and what a model (external data), a manifest or a lock names in
// turn. Files are compared by device and inode, so that links count. Errors: usage class,
// RIDGE-CLI-0220 and 0221; environment class, as FileWriter. Cost: inputs are only read for an
// output that exists. Leaves nothing behind.
#pragma once

#include "base/result.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

Result<void> check_outputs(const Flags& flags);

}  // namespace ridge::cli
