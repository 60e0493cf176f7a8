// SPDX-License-Identifier: Apache-2.0
#include "import/node_chain.h"

#include <algorithm>
#include <optional>

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Splits off the text before the first separator; `text` continues behind it.
std::string_view next_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

class Walk {
 public:
  explicit Walk(const Resolved& resolved) : resolved_(resolved), model_(resolved.model()) {}

  /// True if a node is of one of the types in a list such as "Div!|Mul!".
  bool fits(NodeId n, std::string_view types) const {
    while (!types.empty()) {
      std::string_view type = next_part(types, '|');
      const bool constant = type.find('!') != std::string_view::npos;
      type = type.substr(0, type.find_first_of("!?"));
      if (model_.node(n).op_type == type && (!constant || reads_constant(n))) return true;
    }
    return false;
  }

  /// Returns a node of these types that produces an input of `n`.
  NodeId before(NodeId n, std::string_view types) const {
    for (const ValueId v : model_.inputs(n))
      if (v != kNone && model_.value(v).producer != kNone && fits(model_.value(v).producer, types))
        return model_.value(v).producer;
    return kNone;
  }

  /// Returns the node of these types that reads an output of `n`, if there is exactly one.
  NodeId after(NodeId n, std::string_view types) const {
    NodeId found = kNone;
    for (const ValueId v : model_.outputs(n)) {
      if (v == kNone || model_.value(v).graph_output) continue;
      for (const NodeId reader : model_.consumers(v)) {
        if (reader == found || !fits(reader, types)) continue;
        if (found != kNone) return kNone;
        found = reader;
      }
    }
    return found;
  }

 private:
  bool reads_constant(NodeId n) const {
    return std::ranges::any_of(model_.inputs(n),
                               [&](ValueId v) { return v != kNone && resolved_.constant(v); });
  }

  const Resolved& resolved_;
  const graph::Model& model_;
};

}  // namespace

Chain chain_around(const Resolved& resolved, const TorchOperator& row, NodeId anchor) {
  const Walk walk(resolved);
  Chain out{.nodes = {anchor}, .last = anchor};
  std::string_view rest = row.before;
  NodeId at = anchor;
  while (!rest.empty()) {
    const std::string_view types = next_part(rest, ' ');
    if (const NodeId n = walk.before(at, types); n != kNone)
      out.nodes.push_back(at = n);
    else if (types.find('?') == std::string_view::npos)
      return {};
  }
  rest = row.after;
  while (!rest.empty()) {
    const std::string_view types = next_part(rest, ' ');
    if (const NodeId n = walk.after(out.last, types); n != kNone)
      out.nodes.push_back(out.last = n);
    else if (types.find('?') == std::string_view::npos)
      return {};
  }
  return out;
}

}  // namespace ridge::imports
