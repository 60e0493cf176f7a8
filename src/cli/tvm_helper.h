// Apache TVM in its own Python environment, which lowers a model to loop nests.
//
//   const TvmNests nests = TRY(lower_with_tvm(static_model.bytes, TvmHooks::kNone));
//   profile_tir(nests.tir, nests.map, resolved)
//
// It runs in a child process under a time limit: whatever happens to it becomes an error of the
// environment. Nothing of TVM is linked or loaded here. The environment is that of
// scripts/fetch_tvm.sh, or the folder of a virtual environment in RIDGE_TVM.
// Cost: seconds; with hooks, which compile the network and run it once without any schedule, up to
// minutes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "machine/fitness.h"

namespace ridge::cli {

enum class TvmHooks { kNone, kRun };

struct TvmNests {
  std::string tir, map;  ///< the two files of accelerator/tvm/lower.py
};

/// Errors (environment): no TVM, another version of it, a child that crashes or takes too long;
/// (input): a model that TVM does not take.
Result<TvmNests> lower_with_tvm(std::string_view model, TvmHooks hooks);

/// Which version there is, or how to get it.
machine::RuntimeFinding find_tvm();

}  // namespace ridge::cli
