// Apache TVM in its own Python environment, which lowers a model to loop nests.
//
//   const TvmNests nests = TRY(lower_with_tvm(folder, static_model.bytes, TvmHooks::kNone));
//   profile_tir(nests.tir, nests.map, resolved)
//
// It runs in a child process under a time limit: whatever happens to it becomes an error of the
// environment. Nothing of TVM is linked or loaded here. `environment`: the folder of a Python
// virtual environment (tvm_folder).
// Cost: seconds; with hooks, which compile the network and run it once without any schedule, up to
// minutes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "machine/fitness.h"

namespace ridge::workbench {

enum class TvmHooks { kNone, kRun };

/// The folder of the environment: `given` (of RIDGE_TVM) where it is not empty, else the one in
/// which scripts/fetch_tvm.sh makes it, below the cache folder; empty where both are.
std::string tvm_folder(std::string_view given, std::string_view cache_folder);

struct TvmNests {
  std::string tir, map;  ///< the two files of accelerator/tvm/lower.py
};

/// Errors (environment): no TVM, another version of it, a child that crashes or takes too long;
/// (input): a model that TVM does not take.
Result<TvmNests> lower_with_tvm(const std::string& environment, std::string_view model,
                                TvmHooks hooks);

/// Which version there is, or how to get it.
machine::RuntimeFinding find_tvm(const std::string& environment);

}  // namespace ridge::workbench
