// SPDX-License-Identifier: Apache-2.0
// Sizes, attributes and small constants of one node, for rules that inspect them.
//
//   const Form f(resolved, node);
//   f.input(0)                       // {1, 64, 56, 56}; nullopt if a size is unknown
//   f.listed("strides", 0, 1)        // the first stride, 1 if the attribute is absent
//
// Ownership: borrows the Resolved. Thread safety: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

class Form {
 public:
  using Sizes = std::vector<std::int64_t>;

  /// `macs`: MACs of one execution, for rules that use them.
  Form(const Resolved& r, graph::NodeId n, std::int64_t macs = 0)
      : r_(r), node_(r.model().node(n)), macs_(macs) {}

  const graph::Node& node() const { return node_; }
  std::int64_t macs() const { return macs_; }

  std::optional<Sizes> input(std::size_t i) const { return sizes(node_.inputs, i); }
  std::optional<Sizes> output(std::size_t i) const { return sizes(node_.outputs, i); }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != graph::kNone;
  }
  /// Type of an input; kUndefined if the input is absent.
  onnx::DataType dtype(std::size_t i) const {
    return has_input(i) ? r_.type(node_.inputs[i]).dtype : onnx::DataType::kUndefined;
  }
  /// Value of an integer input with exactly one element; nullopt if unknown.
  std::optional<std::int64_t> scalar(std::size_t i) const;

  /// All elements of an input; nullopt if one is unknown.
  std::optional<Sizes> integers(std::size_t i) const;
  std::optional<std::vector<double>> reals(std::size_t i) const;

  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  double real(std::string_view name, double fallback) const;
  std::string_view text(std::string_view name, std::string_view fallback = {}) const;
  /// Element `i` of an integer list attribute; `fallback` if the list is shorter or absent.
  std::int64_t listed(std::string_view name, std::size_t i, std::int64_t fallback) const;
  /// Length of a list attribute of integers or floats; 0 if absent.
  std::int64_t length(std::string_view name) const;

 private:
  std::optional<Sizes> sizes(std::span<const graph::ValueId> values, std::size_t i) const;

  const Resolved& r_;
  graph::Node node_;
  std::int64_t macs_;
};

}  // namespace ridge::analysis
