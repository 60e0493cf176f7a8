// SPDX-License-Identifier: Apache-2.0
// Lowers a model to loop nests with Apache TVM, which runs in its own Python environment.
//
//   const TvmNests nests = TRY(lower_with_tvm(folder, static_model.bytes, TvmHooks::kNone));
//   profile_tir(nests.tir, nests.map, resolved)
//
// TVM runs in a child process under a time limit, so that a crash or a hang becomes an environment
// error. TVM is neither linked nor loaded into this process. `environment`: the folder of a Python
// virtual environment (tvm_folder). Cost: seconds; with hooks, which compile the network and run it
// once without any schedule, up to minutes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "machine/fitness.h"

namespace ridge::accelerator {

enum class TvmHooks { kNone, kRun };

/// Folder of the environment: `given` (from RIDGE_TVM) if not empty, else the folder below
/// `cache_folder` in which scripts/fetch_tvm.sh creates it; empty if both are empty.
std::string tvm_folder(std::string_view given, std::string_view cache_folder);

struct TvmNests {
  std::string tir, map;  ///< contents of the two files that accelerator/tvm/lower.py writes
};

/// Environment error if TVM is missing, has another version, crashes or exceeds the time limit;
/// input error if TVM rejects the model.
Result<TvmNests> lower_with_tvm(const std::string& environment, std::string_view model,
                                TvmHooks hooks);

/// Installed version of TVM, or advice on how to install it.
machine::RuntimeFinding find_tvm(const std::string& environment);

}  // namespace ridge::accelerator
