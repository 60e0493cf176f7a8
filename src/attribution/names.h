// The names of the canonical copy, and how much of them a runtime's own names keep.
//
// A node is called r<k> with k its NodeId, its outputs r<k>.<j>; a constant w<ValueId>, an input of
// a body b<ValueId>. Node and tensor names differ, because runtimes call new tensors like the node
// that makes them. Inputs and outputs of the model keep their names where these are free and cannot
// be taken for one of the above.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/model.h"

namespace ridge::attribution {

std::string node_name(graph::NodeId node);
std::string tensor_name(graph::NodeId node, std::size_t output);
std::string constant_name(graph::ValueId value);
std::string body_input_name(graph::ValueId value);

/// What a name begins with: a node, and the output where it is a tensor's name.
struct Stem {
  graph::NodeId node = graph::kNone;
  std::uint32_t output = graph::kNone;  ///< kNone: the name of the node itself
  bool whole = false;                   ///< nothing follows
};

/// The canonical name that `name` is or extends at '/' or '_': "r12/MatMulAddFusion", "r7.0_nchwc",
/// "r3_token_5". Suffixes "_token_<n>" are stripped first; they number what would otherwise share a
/// name.
Stem stem_of(std::string_view name);
std::string_view without_token(std::string_view name);

/// Constants and inputs of bodies by their canonical name; kNone for any other name.
graph::ValueId value_named(std::string_view name);

/// What a runtime says, with the names of the copy's nodes and tensors replaced by the model's own:
/// "Name:'r17'" becomes "Name:'conv1'". A node without a name is called by its type and id.
std::string with_original_names(std::string_view text, const graph::Model& model);

/// A name that the model gave and that the copy must not keep: it could be taken for one of the
/// copy's or the runtime's own.
bool reserved(std::string_view name);

}  // namespace ridge::attribution
