// Descriptions of operator rules, for `ridge explain OPERATOR` and the page of operators.
//
//   shape_text(*find("", "Conv", 22))    "[N, Cout, out...]; out = floor(...) + 1"
//
// The texts are a separate table, one per rule, which keeps the operator tables compact: operators
// with the same shape rule share its description.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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
Counting counting(const Operator& op);
/// Returns "counted", "moves data", "view" or "its bodies count".
std::string_view name(Counting counting);

/// Example graph with one such node as its last statement, in the language of graph/sketch.h, with
/// statements separated by ';': "input x[1,64]; Relu(x) -> y". Empty if there is none. Valid for
/// the newest opset.
std::string example(const Operator& op);

/// Returns the rows with this name, oldest first; empty if there are none.
std::vector<const Operator*> versions(std::string_view domain, std::string_view name);

}  // namespace ridge::ops
