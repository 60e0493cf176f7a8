// SPDX-License-Identifier: Apache-2.0
// Flags that select runs of a run database: --model, --runtime, --threads, --host, --since,
// --until.
//
//   add_run_filter(flags, o->only, "list: ");
//   const store::RunFilter only = with_runtime_titles(o->only);
//
// Errors: usage class, RIDGE-CLI-0035, for a day that is none. Thread rule: as Flags.
#pragma once

#include <string>
#include <string_view>

#include "cli/flags/flags.h"
#include "store/run_filter.h"

namespace ridge::cli {

/// `prefix`: before each help text.
void add_run_filter(Flags& flags, store::RunFilter& only, std::string_view prefix = "");

/// Name of a runtime as runs record it: "ONNX Runtime" for ort.
std::string runtime_title(const std::string& name);

/// The filter with both names of each runtime: runs have its title, failures its name.
store::RunFilter with_runtime_titles(store::RunFilter only);

}  // namespace ridge::cli
