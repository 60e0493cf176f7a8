// One node as the rules see it that look at sizes and attributes: sizes of its tensors, attributes,
// small constants.
//
//   const Form f(resolved, node);
//   f.input(0)                       // {1, 64, 56, 56}; nullopt where a size is not known
//   f.listed("strides", 0, 1)        // the first stride, 1 where none is given
//
// Ownership: borrows the Resolved. Thread rule: pure.
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

  /// `macs`: of one execution, for the rules that ask for it.
  Form(const Resolved& r, graph::NodeId n, std::int64_t macs = 0)
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
  std::optional<std::vector<double>> reals(std::size_t i) const;

  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  double real(std::string_view name, double fallback) const;
  std::string_view text(std::string_view name, std::string_view fallback = {}) const;
  /// Element `i` of a list, the fallback where it is shorter.
  std::int64_t listed(std::string_view name, std::size_t i, std::int64_t fallback) const;
  /// Elements of a list of any kind; 0 where it is not given.
  std::int64_t length(std::string_view name) const;

 private:
  std::optional<Sizes> sizes(std::span<const graph::ValueId> values, std::size_t i) const;

  const Resolved& r_;
  graph::Node node_;
  std::int64_t macs_;
};

}  // namespace ridge::analysis
