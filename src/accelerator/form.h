// One node as the rules see it that make products of it: sizes of its tensors, attributes, small
// constants, work.
//
// What is not known is nullopt, which ends a rule. Sizes come from files, so products of them
// saturate: what would pass 2^63 - 1 is that, and never equals a node's work.
// Ownership: borrows the Resolved. Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::accelerator {

using Sizes = std::vector<std::int64_t>;

/// Saturating; 1 of nothing.
std::int64_t product(std::span<const std::int64_t> sizes);
std::int64_t times(std::initializer_list<std::int64_t> sizes);

class Form {
 public:
  /// `macs`: of one execution.
  Form(const analysis::Resolved& r, graph::NodeId n, std::int64_t macs)
      : r_(r), node_(r.model().node(n)), macs_(macs) {}

  const graph::Node& node() const { return node_; }
  std::int64_t macs() const { return macs_; }

  std::optional<Sizes> input(std::size_t i) const { return sizes(node_.inputs, i); }
  std::optional<Sizes> output(std::size_t i) const { return sizes(node_.outputs, i); }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != graph::kNone;
  }
  /// Inputs that are not given are of no known type.
  onnx::DataType dtype(std::size_t i) const {
    return has_input(i) ? r_.type(node_.inputs[i]).dtype : onnx::DataType::kUndefined;
  }
  /// The only element of an integral input that is known.
  std::optional<std::int64_t> scalar(std::size_t i) const;

  /// All of them, of a list that is known.
  std::optional<Sizes> integers(std::size_t i) const;

  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  std::string_view text(std::string_view name, std::string_view fallback = {}) const;
  /// Element `i` of a list, the fallback where it is shorter.
  std::int64_t listed(std::string_view name, std::size_t i, std::int64_t fallback) const;
  /// Elements of a list of any kind; 0 where it is not given.
  std::int64_t length(std::string_view name) const;

 private:
  std::optional<Sizes> sizes(std::span<const graph::ValueId> values, std::size_t i) const;

  const analysis::Resolved& r_;
  graph::Node node_;
  std::int64_t macs_;
};

}  // namespace ridge::accelerator
