// SPDX-License-Identifier: Apache-2.0
// Descriptions of operator rules, for `ridge explain OPERATOR` and the page of operators.
//
//   shape_text(*find("", "Conv", 22))    "[N, Cout, out...]; out = floor(...) + 1"
//
// The texts are a separate table, one per rule, which keeps the operator tables compact: operators
// with the same shape rule share its description.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "ops/operator.h"

namespace ridge::ops {

/// Describes how the types of the outputs follow from the inputs. Empty if the rule has no
/// description.
std::string_view shape_text(const Operator& op);

/// Description of memory traffic.
struct TrafficText {
  std::string_view reads, writes;
};
TrafficText traffic_text(const Operator& op);

enum class Counting : std::uint8_t {
  kCounted,  ///< has a rule for its work
  kMoves,    ///< no work by definition, but moves bytes
  kView,     ///< neither work nor bytes
  kBodies,   ///< control flow: its bodies count
};

}  // namespace ridge::ops

namespace ridge {

template <>
struct Words<ops::Counting> {
  using Counting = ops::Counting;
  static constexpr std::array list{
      Word{Counting::kCounted, "counted"}, Word{Counting::kMoves, "moves data"},
      Word{Counting::kView, "view"}, Word{Counting::kBodies, "its bodies count"}};
};

}  // namespace ridge

namespace ridge::ops {

Counting counting(const Operator& op);
constexpr std::string_view name(Counting counting) { return word(counting); }

/// Example graph with one such node as its last statement, in the language of graph/sketch.h, with
/// statements separated by ';': "input x[1,64]; Relu(x) -> y". Empty if there is none. Valid for
/// the newest opset.
std::string example(const Operator& op);

/// Returns the rows with this name, oldest first; empty if there are none.
std::vector<const Operator*> versions(std::string_view domain, std::string_view name);

}  // namespace ridge::ops
