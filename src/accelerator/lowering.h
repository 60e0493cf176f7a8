// SPDX-License-Identifier: Apache-2.0
// Lowers a model to layers: matrix products for an array, the rest for a vector unit.
//
//   Lowered l = lower(resolved, {.fuse = analysis::Fuse::kEpilogue});
//   for (const Layer& layer : l.layers) for (const Gemm& g : layer.gemms) ...
//
// A convolution is an implicit im2col: M = output positions of all images, K = kernel
// positions x channels of the group, N = filters of the group, one product per group (so a
// depthwise convolution is as many products as it has channels). A transposed convolution is the
// product before its columns are summed: M = input positions, N = filters x kernel positions. A
// matrix product whose second operand is shared by the batch is one product with a large M; so are
// products that share an expanded operand (moves.h).
// Attention is its projections, queries x keys and scores x values. A recurrent layer is one
// product for all inputs and one per step for the state. Rules of the operators: products.h. The
// MACs of the products add up exactly to the node's; where no such form is known, the layer has no
// products and `reason` says why.
//
// A node with work or data movement but without MACs is a layer of the vector unit. Under kEpilogue
// a region of element-wise nodes is fused into the output pass of the layer that it reads
// (analysis/traffic/fuser.h); such fused nodes are called riders. A rider is not a layer, its reads
// of that layer's output are not counted as data movement, and a tensor that several of them read
// is read once. Nodes that constants alone determine (shape arithmetic, computed weights) and nodes
// that move nothing (Reshape, Squeeze) are not layers. A node that only moves data may be a view,
// or have its data written or read in place (moves.h): it is a layer without work. Thread rule:
// pure function. Cost: O(nodes + values).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accelerator/gemm.h"
#include "accelerator/moves.h"
#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"

namespace ridge::accelerator {

/// Vector unit work of a layer, over all executions.
struct VectorWork {
  /// Distinct elements read from and written to memory. For a layer with products: the elements
  /// that its riders read in addition to the layer's outputs; `written` is then 0.
  std::int64_t read = 0, written = 0;
  /// Sum of flops, special and int_ops of `ridge analyze`; for a layer with products the operations
  /// of bias, activation, softmax and riders, all executed in the pass that writes its outputs.
  std::int64_t operations = 0;

  auto operator<=>(const VectorWork&) const = default;
};

struct Layer {
  std::string name;
  graph::NodeId node = graph::kNone;  ///< kNone: the layer is not from a model
  std::string op_type;
  std::vector<graph::NodeId> riders;  ///< nodes fused into its output pass, in order
  std::vector<Gemm> gemms;
  std::int64_t macs = 0;
  std::int64_t params = 0;           ///< elements of the weights that it and its riders read
  std::int64_t param_bytes = 0;      ///< bytes of these weights as stored in the file
  std::optional<VectorWork> vector;  ///< nullopt: unknown, or the layer is not from a model
  /// Why `gemms` is empty despite MACs, or why `vector` is unknown
  std::string reason;
  Move move = Move::kNone;       ///< how a layer that only moves data does so
  std::string_view move_reason;  ///< why it copies

  /// True if the layer runs on the vector unit alone.
  bool vector_only() const { return macs == 0 && gemms.empty() && vector.has_value(); }
  /// Node that produces the layer's outputs.
  graph::NodeId last() const { return riders.empty() ? node : riders.back(); }
};

struct Lowered {
  std::vector<Layer> layers;       ///< in file order
  std::int64_t macs = 0;           ///< MACs of all layers
  std::int64_t without_gemms = 0;  ///< MACs of the layers that have no products
};

enum class Layers : std::uint8_t {
  kAll,
  kProducts  ///< only layers with MACs: for a machine without a vector unit
};

struct LoweringOptions {
  analysis::Fuse fuse = analysis::Fuse::kEpilogue;  ///< or kNone; kRuntime is treated as kEpilogue
  Layers layers = Layers::kAll;
};

/// Requires every symbolic size to be bound.
Lowered lower(const analysis::Resolved& resolved, const LoweringOptions& options = {});

}  // namespace ridge::accelerator
