// A dump of a runtime's optimised graph, its names replaced by those of the canonical copy
// (attribution/names.h): how attribution follows a session that ran the model itself.
//
//   std::shared_ptr<const onnx::Document> renamed = canonical_dump(dump, resolved, copy);
//
// A name of the model's becomes the copy's. A node that the runtime renamed keeps what was added:
// "relu1_nchwc" -> "r1.0_nchwc". Names that several nodes or tensors bear are no one's.
// Ownership: the result shares the weights' file, and keeps `dump` alive. Cost: linear; of a name
// at most 64 places are tried.
#pragma once

#include <memory>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "onnx/document.h"

namespace ridge::imports {

struct CanonicalDump {
  std::shared_ptr<const onnx::Document> document;
  std::size_t known = 0;  ///< nodes that are called after one of the model, or make a tensor of it
};

CanonicalDump canonical_dump(std::shared_ptr<const onnx::Document> dump,
                             const analysis::Resolved& resolved,
                             const attribution::Canonical& copy);

}  // namespace ridge::imports
