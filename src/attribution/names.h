// SPDX-License-Identifier: Apache-2.0
// Naming scheme of the canonical copy, and parsing of the names that runtimes derive from it.
//
// A node is named r<k> with k its NodeId, its outputs r<k>.<j>; a constant w<ValueId>, an input of
// a body b<ValueId>. Node and tensor names differ, because runtimes name new tensors after the node
// that produces them. Inputs and outputs of the model keep their names if these are unique and
// cannot be confused with one of the above.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "graph/model.h"

namespace ridge::attribution {

std::string node_name(graph::NodeId node);
std::string tensor_name(graph::NodeId node, std::size_t output);
std::string constant_name(graph::ValueId value);
std::string body_input_name(graph::ValueId value);

/// Parsed beginning of a name: a node, and the output for a tensor name.
struct Stem {
  graph::NodeId node = graph::kNone;
  std::uint32_t output = graph::kNone;  ///< kNone: the name of the node itself
  bool whole = false;                   ///< true if nothing follows
};

/// Parses the canonical name that `name` equals or extends at '/' or '_': "r12/MatMulAddFusion",
/// "r7.0_nchwc", "r3_token_5". Suffixes "_token_<n>", which make duplicate names unique, are
/// removed first.
Stem stem_of(std::string_view name);
std::string_view without_token(std::string_view name);

/// Returns the constant or body input with that canonical name; kNone for any other name.
graph::ValueId value_named(std::string_view name);

/// Replaces the copy's node and tensor names in a runtime's message by the model's names:
/// "Name:'r17'" becomes "Name:'conv1'". A node without a name is printed as its type and id.
std::string with_original_names(std::string_view text, const graph::Model& model);
/// Replaces the names in message and evidence of a runtime's error likewise.
Error with_original_names(const Error& error, const graph::Model& model);
/// Replaces the names in the error of a result, if it has one.
template <typename T>
Result<T> with_original_names(Result<T> result, const graph::Model& model) {
  if (result.ok()) return result;
  return with_original_names(result.error(), model);
}

/// True for a name of the model that the copy must not keep, since it could be confused with one of
/// the copy's or the runtime's own.
bool reserved(std::string_view name);

}  // namespace ridge::attribution
