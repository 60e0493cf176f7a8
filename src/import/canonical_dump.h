// SPDX-License-Identifier: Apache-2.0
// Dump of a runtime's optimized graph with its names replaced by the canonical copy's
// (attribution/names.h). Lets attribution follow a session that ran the original model.
//
//   std::shared_ptr<const onnx::Document> renamed = canonical_dump(dump, resolved, copy).document;
//
// A name of the model becomes the copy's name. A name that the runtime extended keeps the
// extension: "relu1_nchwc" -> "r1.0_nchwc". Names shared by several nodes or tensors are not
// translated. Ownership: the result shares the weights' file and keeps `dump` alive. Cost: linear;
// at most 64 split positions are tried per name.
#pragma once

#include <memory>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "onnx/document.h"

namespace ridge::imports {

struct CanonicalDump {
  std::shared_ptr<const onnx::Document> document;
  /// Nodes whose name derives from a node of the model, or that produce one of its tensors.
  std::size_t known = 0;
};

CanonicalDump canonical_dump(std::shared_ptr<const onnx::Document> dump,
                             const analysis::Resolved& resolved,
                             const attribution::Canonical& copy);

}  // namespace ridge::imports
