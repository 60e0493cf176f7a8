// SPDX-License-Identifier: Apache-2.0
// Texts of a node's attributes, without those that have their default value.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bricks/network.h"

namespace ridge::bricks {

/// By name. Bodies of control flow are written with their tensors numbered in order of appearance;
/// tensors from outside appear with their type only, because the node reads them (names_read.h).
using AttributeTexts = std::map<std::string, std::string, std::less<>>;
AttributeTexts attribute_texts(const Network& network, const onnx::Node& node);

/// Version of an operator set that the copy imports; 0 if it does not.
std::int32_t opset_of(const Network& network, std::string_view domain);

/// Type of an input of a node; null if it is unknown.
const ops::Type* type_of(const Network& network, std::string_view tensor);

/// Sizes of a tensor, -1 where unknown; empty if it has none.
std::vector<std::int64_t> sizes_of(const ops::Type* type);

}  // namespace ridge::bricks
