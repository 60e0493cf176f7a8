// The layers of a model: matrix products for an array, the rest for a vector unit.
//
//   Lowered l = lower(resolved, {.fuse = analysis::Fuse::kEpilogue});
//   for (const Layer& layer : l.layers) for (const Gemm& g : layer.gemms) ...
//
// A convolution is an implicit im2col: M output positions of all images, K = kernel positions x
// channels of the group, N filters of the group, one product per group (so a depthwise one is as
// many products as it has channels). A transposed convolution is the product before its columns
// are added up: M input positions, N = filters x kernel positions. A product of matrices whose
// second operand is shared by the batch is one tall product. Attention is its projections, queries
// x keys and scores x values. A recurrent layer is one product for all inputs and one per step for
// the state. The rule of every operator: products.h. The sum of the products' MACs is the node's,
// to the integer; where no form is known that holds, the layer has no products and says so.
//
// What has work or moves elements, and no MACs, is a layer of the vector unit. Under kEpilogue an
// element-wise chain rides in the output pass of the layer that it reads (analysis/fusion.h): it is
// no layer, and what it reads of that layer is not moved. What the model's constants alone decide
// (shape arithmetic, computed weights) and what moves nothing (Reshape, Squeeze) is no layer.
// Thread rule: pure function. Cost: O(nodes + values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accelerator/gemm.h"
#include "analysis/fusion.h"
#include "analysis/resolved.h"

namespace ridge::accelerator {

/// What a vector unit does for a layer, over all executions.
struct VectorWork {
  /// Distinct elements that it takes from memory and hands back. Of a layer with products: what
  /// its riders take besides its outputs; it hands back nothing of its own.
  std::int64_t read = 0, written = 0;
  /// flops, special and int_ops of `ridge analyze`; of a layer with products bias, activation,
  /// softmax and riders, all of which happen in the pass that writes its outputs.
  std::int64_t operations = 0;

  auto operator<=>(const VectorWork&) const = default;
};

struct Layer {
  std::string name;
  graph::NodeId node = graph::kNone;  ///< kNone: the layer is of no model
  std::string op_type;
  std::vector<graph::NodeId> riders;  ///< run in its output pass, in order
  std::vector<Gemm> gemms;
  std::int64_t macs = 0;
  std::int64_t params = 0;           ///< elements of the weights that it and its riders read
  std::int64_t param_bytes = 0;      ///< of them, as the file has them
  std::optional<VectorWork> vector;  ///< nullopt: not known, or of no model
  std::string reason;                ///< why `gemms` is empty where there are MACs, or `vector`

  /// Work of the vector unit alone.
  bool vector_only() const { return macs == 0 && gemms.empty() && vector.has_value(); }
  /// Whose outputs are the layer's.
  graph::NodeId last() const { return riders.empty() ? node : riders.back(); }
};

struct Lowered {
  std::vector<Layer> layers;       ///< in file order
  std::int64_t macs = 0;           ///< of all of them
  std::int64_t without_gemms = 0;  ///< MACs of layers that have no products
};

enum class Layers : std::uint8_t {
  kAll,
  kProducts  ///< those with MACs: what a machine without a vector unit is asked for
};

struct LoweringOptions {
  analysis::Fuse fuse = analysis::Fuse::kEpilogue;  ///< or kNone; kRuntime is taken as kEpilogue
  Layers layers = Layers::kAll;
};

/// Every size must be bound.
Lowered lower(const analysis::Resolved& resolved, const LoweringOptions& options = {});

}  // namespace ridge::accelerator
