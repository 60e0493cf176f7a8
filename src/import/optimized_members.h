// SPDX-License-Identifier: Apache-2.0
// Exact members of each layer, derived from the model that ONNX Runtime optimized in the recorded
// session (SessionOptions.optimized_model_filepath), by attribution/attributor.h.
//
//   ExactMembers exact = TRY(optimized_members(recorded, resolved, "optimized.onnx"));
//
// The dump uses the names of the user's model, attribution the names of its canonical copy: names
// of nodes and tensors are translated to the copy's; additions by the runtime stay. Kernels that
// form one layer (Reshape, Gemm, Reshape) are merged in `recorded` too; a kernel that the dump
// lacks stays a layer without nodes. Errors (input class): the file cannot be read; it has no name
// of the model, or at most half of the recording's kernels.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/boundary.h"
#include "base/result.h"
#include "import/members.h"
#include "import/recorded.h"

namespace ridge::imports {

struct ExactMembers {
  Members members;
  std::vector<profile::Count> read, written;  ///< by layer
  std::vector<profile::Least> least;
  std::vector<profile::WithoutLayer> without_layer;
};

Result<ExactMembers> optimized_members(Recorded& recorded, const analysis::Resolved& resolved,
                                       const std::string& path);

}  // namespace ridge::imports
