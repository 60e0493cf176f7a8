// Text of a node's attributes in a canonical form: sorted by name, without those that have their
// default value, with the version of the operator.
#pragma once

#include <string>

#include "bricks/network.h"

namespace ridge::bricks {

/// Bodies of control flow are written with their tensors numbered in order of appearance; tensors
/// from outside appear with their type only, because the node reads them (names_read.h).
std::string attributes_text(const Network& network, const onnx::Node& node);

}  // namespace ridge::bricks
