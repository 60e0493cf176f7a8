// SPDX-License-Identifier: Apache-2.0
// Test helpers: a node as text, and the result of its rules as text.
//
//   shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) strides=[2,2]")   == "f32[1,8,3,3]"
//   work("MatMul(f32[2,3], f32[3,4])")                         == "macs 24"
//   bytes("Gather(f32[9,2], i64[1]={3})")                      == "read 16 written 8"
//
// Syntax: Name-opset, with opset 17 by default. Arguments: a type with dimensions (numbers, names,
// ?), [*] for an unknown rank, ={...} for a known constant, _ for an omitted input, @0 for the same
// value as argument 0, ? for an unknown type. `#2` after the parenthesis requests two outputs.
// Attributes: 1, 0.5, "text", [1,2], [0.5,1.0], i64[2]={1,2}.
// If a rule rejects its node, the result is "error: message [code]".
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace ridge::ops::testing {

/// Types of the outputs, and the elements of constants.
std::string shapes(std::string_view node);
/// Text such as "macs 24 flops 6", without zeros; "nothing" if all are zero.
std::string work(std::string_view node);
/// Number after "macs" in work(); -1 if there is none.
long macs_of(std::string_view node);
/// Text such as "read 16 written 8".
std::string bytes(std::string_view node);

/// Random sizes from `low` to `high`, for random nodes.
class Sizes {
 public:
  explicit Sizes(std::uint32_t seed) : random_(seed) {}
  int operator()(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }

 private:
  std::mt19937 random_;
};

}  // namespace ridge::ops::testing
