// SPDX-License-Identifier: Apache-2.0
// ONNX model of a brick: the nodes of a piece in canonical order, with donors at its ports.
//
//   const BrickModel brick = TRY(brick_model(network, piece, form));
//   TRY(onnx::write_file(*brick.document, path));
//
// Tensors at the ports come from donors and go to donors, in the layout that they have in the
// model: a model can only be given plain tensors, and reading those selects other kernels.
//
//   plain:          input in0 [1,64] -> Neg -> core -> Neg -> output out0
//   blocked:        input in0 [1,16,56,56] -> Conv 1x1 -> Relu -> core
//                   core -> Conv 1x1 to 16 channels -> output out0
//   channels last:  input in0 [1,56,56,64] -> Transpose -> core -> Transpose -> output out0
//
// A plain donor keeps the core away from the memory of inputs and outputs, which is cold and which
// the runtime copies where it would reuse its own: a Reshape of an input to an output copies. The
// Relu prevents that a sum in the core is fused into the donor's convolution. Of transposes the
// runtime removes the pairs, as it does in the model.
//
// Names: nodes n0, n1, ... in canonical order, helpers (piece.h) h0, h1, ...; their results
// t<node>.<output>; constants c0, ...; inputs in0, ...; outputs behind a donor out0, ..., others
// are results; nodes of donors in0.conv, in0.relu, out0.conv. Weights are ConstantOfShape nodes:
// the file is small, every runtime can run it, and ridge replaces them by seeded random numbers on
// loading (attribution/canonical.h).
//
// Thread rule: pure. Ownership: the document refers to the document of the network's copy, which
// must outlive it. Errors: input class (RIDGE-BRICK-0002) for a port that is not a tensor of known
// shape.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/words.h"
#include "bricks/form/form.h"
#include "onnx/document.h"

namespace ridge::bricks {

enum class Direction : std::uint8_t { kInput, kOutput };

}  // namespace ridge::bricks

namespace ridge {

template <>
struct Words<bricks::Direction> {
  using Direction = bricks::Direction;
  static constexpr std::array list{Word{Direction::kInput, "input"},
                                   Word{Direction::kOutput, "output"}};
};

}  // namespace ridge

namespace ridge::bricks {

/// Port of a brick. `shape`: of the tensor inside the model, not of the donor's.
struct BrickPort {
  std::string name;
  Direction direction = Direction::kInput;
  std::string dtype;
  std::vector<std::int64_t> shape;
  Layout layout = Layout::kPlain;
  std::string donor;  ///< "Neg", "Conv 1x1, Relu", "Transpose", ...; "" for none
};

struct BrickModel {
  std::shared_ptr<const onnx::Document> document;
  std::vector<BrickPort> ports;
};

Result<BrickModel> brick_model(const Network& network, const Piece& piece, const Form& form);

/// True for the name of a node that stands for a unit of the piece: no helper, donor or weight.
bool is_core_name(std::string_view name);

}  // namespace ridge::bricks
