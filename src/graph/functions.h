// SPDX-License-Identifier: Apache-2.0
// Functions of a model file: looked up by the calling node, and checked for recursion before
// expansion.
//
// Errors (input class): a function defined twice, a function that calls itself directly or
// indirectly (also through the bodies of its nodes).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::graph {

class FunctionTable {
 public:
  static Result<FunctionTable> make(std::span<const onnx::Function> functions);

  bool empty() const { return sorted_.empty(); }
  /// Returns the function that a node calls, or nullptr for an operator. A function of the file
  /// takes precedence over an operator of the same name.
  const onnx::Function* find(const onnx::Node& node) const;

 private:
  Result<void> refuse_recursion() const;
  std::vector<const onnx::Function*> callees(const onnx::Function& function) const;
  std::size_t position(const onnx::Function* function) const;

  std::vector<const onnx::Function*> sorted_;
};

/// Text such as "function 'pkg.torch:Linear'" for messages.
std::string describe(const onnx::Function& function);

}  // namespace ridge::graph
