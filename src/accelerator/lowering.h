// The layers of a model as matrix products.
//
//   Lowered l = lower(resolved);
//   for (const Layer& layer : l.layers) for (const Gemm& g : layer.gemms) ...
//
// A convolution is an implicit im2col: M output positions of all images, K = kernel positions x
// channels of the group, N filters of the group, one product per group (so a depthwise one is as
// many products as it has channels). A transposed convolution is the product before its columns
// are added up: M input positions, N = filters x kernel positions. A product of matrices whose
// second operand is shared by the batch is one tall product. A recurrent layer is one product for
// all inputs and one per step for the state. The sum of the products' MACs is the node's, to the
// integer; where no form is known that holds, the layer has no products and says so.
// Thread rule: pure function. Cost: O(nodes).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accelerator/gemm.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

struct Layer {
  std::string name;
  graph::NodeId node = graph::kNone;  ///< kNone: the layer is of no model
  std::string op_type;
  std::vector<Gemm> gemms;
  std::int64_t macs = 0;
  std::int64_t params = 0;  ///< elements of the weights it reads
  std::string reason;       ///< why `gemms` is empty
};

struct Lowered {
  std::vector<Layer> layers;       ///< the nodes that multiply and accumulate, in file order
  std::int64_t macs = 0;           ///< of all of them
  std::int64_t without_gemms = 0;  ///< MACs of layers that have no products
};

/// Every size must be bound. Nodes without multiply-accumulates are no layers.
Lowered lower(const analysis::Resolved& resolved);

}  // namespace ridge::accelerator
