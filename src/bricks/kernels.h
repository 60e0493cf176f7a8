// SPDX-License-Identifier: Apache-2.0
// Kernels that a piece needs inside its model and that its brick runs alone: a brick is used only
// if the two lists agree.
//
//   if (const std::string why = kernel_difference(inside, alone); !why.empty()) ...   // not used
//
// A kernel is described by its operator, domain, activation and number of inputs: a convolution
// whose sum is fused has one input more than one without. Where the runtime lists its layers, by
// their precision and layout as well. Thread rule: pure.
#pragma once

#include <string>
#include <vector>

#include "bricks/piece.h"

namespace ridge::bricks {

struct KernelKind {
  std::string op_type;  ///< "Conv"
  std::string text;     ///< "com.microsoft.nchwc.Conv of 3 inputs, Relu"
};

/// All kernels of a model, in execution order.
std::vector<KernelKind> all_kernels(const Network& network);

/// Kernels of a piece in its model, in execution order.
std::vector<KernelKind> kernels_inside(const Network& network, const Piece& piece);

/// Kernels of a brick (loaded as a model of its own) that stand for the piece, ascending: the
/// kernels of layers with a node of the piece. Donors are left out.
std::vector<graph::NodeId> core_kernels(const Network& brick);
/// Returns the same kernels in execution order.
std::vector<KernelKind> kernels_alone(const Network& brick);

/// Returns how the two lists differ ("3 kernels instead of 1: Conv, Add, Relu; not Conv"), "" if
/// they have the same kernels in any order.
std::string kernel_difference(const std::vector<KernelKind>& inside,
                              const std::vector<KernelKind>& alone);

}  // namespace ridge::bricks
