// SPDX-License-Identifier: Apache-2.0
// Values of sizes from those that are set for expressions of them.
//
//   SizeEquations equations;
//   equations.add("past + sequence", *names.expression("past + sequence"), 16, "--bind ...");
//   equations.solve(values, from);             // past = 15 where sequence is 1
//   TRY(equations.check(values, from));
//
// An equation with one unknown name gives its value where exactly one fits; solving repeats until
// nothing more follows. Errors (input class): RIDGE-ANA-0109, an expression with another value
// than it is set to; RIDGE-ANA-0108, one that no size fits. Thread rule: a value type.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sizes/bound_sizes.h"
#include "analysis/sizes/size_expression.h"
#include "base/result.h"

namespace ridge::analysis {

class SizeEquations {
 public:
  using Values = std::map<std::string, Binding, std::less<>>;
  using Origins = std::map<std::string, std::string>;  ///< by name: the flag that set it

  void add(std::string text, SizeExpression expression, std::int64_t value, std::string flag);
  /// Adds the values that follow to `values`, and their flags to `from`.
  Result<void> solve(Values& values, Origins& from) const;
  /// Compares the equations whose names all have values; adds the others to `values` by their text.
  Result<void> check(Values& values, const Origins& from) const;
  /// True if an expression with this text is set.
  bool sets(std::string_view text) const;
  /// Where several values of `name` fit an equation: "'2' to '3' fit --bind ..."; "" elsewhere.
  std::string several(const std::string& name, const Values& values) const;

 private:
  struct Equation {
    std::string text;
    SizeExpression expression;
    std::int64_t value = 0;
    std::string flag;
  };
  std::vector<Equation> equations_;
};

/// Values of the names as SizeExpression takes them. `values` must outlive the function.
SizeExpression::ValueOf value_in(const SizeEquations::Values& values);

/// "past = 15, sequence = 1", for messages.
std::string values_text(const SizeExpression& expression, const SizeEquations::Values& values);

}  // namespace ridge::analysis
