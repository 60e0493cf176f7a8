// The nodes of each layer where ONNX Runtime's optimised model of the same session is there
// (SessionOptions.optimized_model_filepath): exact, by attribution/attribution.h.
//
//   ExactMembers exact = TRY(optimised_members(recorded, resolved, "optimised.onnx"));
//
// The dump has the user's own names, attribution those of its canonical copy: names of nodes and
// tensors are replaced by the copy's, what the runtime adds to them stays. Kernels that are one
// layer (Reshape, Gemm, Reshape) become one in `recorded` too; a kernel that the dump lacks stays
// alone without nodes.
// Errors (input class): the file cannot be read; it has no name of the model's, or at most half of
// the recording's kernels.
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

Result<ExactMembers> optimised_members(Recorded& recorded, const analysis::Resolved& resolved,
                                       const std::string& path);

}  // namespace ridge::imports
