// SPDX-License-Identifier: Apache-2.0
// Flags of ridge eval about its lock and its store.
//
//   add_keeping_options(flags, options.keeping);
//   const std::optional<manifest::Lock> locked = TRY(existing_lock(options.keeping));
//   std::optional<Output> lock = TRY(new_lock(options.keeping, console));    // before measuring
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/flags/flags.h"
#include "manifest/lock.h"

namespace ridge::cli {

struct KeepingOptions {
  std::string store, lock;
  std::vector<std::string> points;  ///< keys of those to evaluate; empty: all
  bool dry_run = false;             ///< only list the points
  bool allow_differences = false;
  std::string stated;  ///< first flag on the command line that a lock states; "": none
};

void add_keeping_options(Flags& flags, KeepingOptions& options);

/// First of the flags on the command line that change the result of an evaluation.
std::string stated_flag(const Flags& flags);

/// Reads the lock; nullopt where no file is named, or it does not exist yet.
Result<std::optional<manifest::Lock>> existing_lock(const KeepingOptions& options);

/// File of the lock, unless there is none to write or it exists.
Result<std::optional<Output>> new_lock(const KeepingOptions& options, Console& console);

}  // namespace ridge::cli
