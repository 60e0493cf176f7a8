// SPDX-License-Identifier: Apache-2.0
// A node with the sizes of its tensors and the elements of its constants, and what is written of it
// so far: what the rules of seen.cc work on.
//
//   NodeView v(network, node, constants);
//   if (const auto axes = v.ints(1)) v.take(1), v.set("axes", list(*axes));
//
// Ownership: borrows all. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bricks/form/attributes.h"
#include "bricks/form/constants.h"

namespace ridge::bricks {

using Ints = std::vector<std::int64_t>;

std::string list(const Ints& values);

class NodeView {
 public:
  NodeView(const Network& network, const onnx::Node& node, const Constants& constants);

  const onnx::Node& node() const { return node_; }
  std::string_view op() const { return node_.op_type; }
  std::int32_t opset() const { return opset_; }

  /// Sizes of an input or output, -1 where unknown; empty if it has none.
  Ints in(std::size_t input) const;
  Ints out(std::size_t output) const;
  bool has(std::size_t input) const;  ///< it is given, constant or not

  const onnx::Attribute* attribute(std::string_view name) const;
  std::int64_t number(std::string_view name, std::int64_t otherwise) const;
  Ints numbers(std::string_view name, std::size_t count, std::int64_t otherwise) const;

  /// A constant input whose elements are known; null for weights and others.
  const Constant* constant(std::size_t input) const;
  /// Its elements, if they are integers.
  std::optional<Ints> ints(std::size_t input) const;
  /// Its elements as numbers.
  std::optional<std::vector<double>> reals(std::size_t input) const;

  /// Texts that are written; they begin with the attributes that have no default.
  void set(std::string_view name, std::string text) { texts_[std::string(name)] = std::move(text); }
  void drop(std::string_view name);
  bool written(std::string_view name) const { return texts_.contains(name); }
  const AttributeTexts& texts() const { return texts_; }
  /// Input that the texts stand for.
  void take(std::size_t input) { taken_.insert(input); }
  /// Likewise, if it is a constant.
  void take_constant(std::size_t input);
  bool taken(std::size_t input) const { return taken_.contains(input); }

 private:
  const Network& n_;
  const onnx::Node& node_;
  const Constants& constants_;
  std::int32_t opset_ = 0;
  AttributeTexts texts_;
  std::set<std::size_t> taken_;
};

/// Elements of a constant as numbers; nullopt for types without.
std::optional<std::vector<double>> elements_of(const Constant& constant);

}  // namespace ridge::bricks
