// Flags of ridge eval about its lock and its store, and the evaluation that they ask for.
//
//   const std::optional<manifest::Lock> locked = TRY(existing_lock(options.keeping));
//   const EvaluationRequest request = TRY(locked_request(options, locked));
//
// Without a model on the command line the lock states everything: only where files lie may be
// stated beside it. Errors: usage class, RIDGE-CLI-0175 (neither model nor lock), 0176 (a flag that
// the lock states); those of the lock.
#pragma once

#include <optional>
#include <string>

#include "cli/console.h"
#include "cli/flags/flags.h"
#include "manifest/lock.h"
#include "workbench/evaluation_request.h"

namespace ridge::cli {

struct EvalOptions;

struct KeepingOptions {
  std::string store, lock;
  bool allow_differences = false;
  std::string stated;  ///< first flag on the command line that a lock states; "": none
};

void add_keeping_options(Flags& flags, KeepingOptions& options);

/// First of the flags on the command line that change the result of an evaluation.
std::string stated_flag(const Flags& flags);

/// nullopt where no file is named, or it does not exist yet.
Result<std::optional<manifest::Lock>> existing_lock(const KeepingOptions& options);

Result<workbench::EvaluationRequest> locked_request(const EvalOptions& options,
                                                    const std::optional<manifest::Lock>& locked);

/// Writes the lock, unless there is none to write or the file exists.
Result<void> write_lock(const KeepingOptions& options, const manifest::Lock& lock,
                        Console& console);

}  // namespace ridge::cli
