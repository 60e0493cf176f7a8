// What an operator's rules do, in words: for `ridge explain OPERATOR` and the page of operators.
//
//   shape_text(*find("", "Conv", 22))    "[N, Cout, out...]; out = floor(...) + 1"
//
// The texts are data of their own, one per rule, so that the tables of the families stay tables: an
// operator that shares its shape rule with one that is described shares the text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/operator.h"

namespace ridge::ops {

/// How the outputs' types follow from the inputs. Empty where nobody has described the rule.
std::string_view shape_text(const Operator& op);

/// What it reads and writes.
struct TrafficText {
  std::string_view reads, writes;
};
TrafficText traffic_text(const Operator& op);

enum class Counting : std::uint8_t {
  kCounted,  ///< there is a rule for its work
  kMoves,    ///< no work by definition, but bytes
  kView,     ///< neither
  kBodies,   ///< control flow: its bodies count
};
Counting counting(const Operator& op);
/// "counted", "moves data", "view", "its bodies count".
std::string_view name(Counting counting);

/// A graph of one such node in the language of graph/sketch.h, its statements divided by ';', the
/// node last: "input x[1,64]; Relu(x) -> y". Empty where there is none. Right for the newest
/// opset.
std::string example(const Operator& op);

/// The rows of one name, oldest first. Empty where there is none.
std::vector<const Operator*> versions(std::string_view domain, std::string_view name);

}  // namespace ridge::ops
