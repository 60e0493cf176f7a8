// One node as text, its outcome as text: for the tests of this folder and above it.
//
//   shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) strides=[2,2]")   == "f32[1,8,3,3]"
//   work("MatMul(f32[2,3], f32[3,4])")                         == "macs 24"
//   bytes("Gather(f32[9,2], i64[1]={3})")                      == "read 16 written 8"
//
// Name-opset; the opset is 17 where not given. Arguments: a type with dimensions (numbers, names,
// ?), [*] for an unknown rank, ={...} for a known constant, _ for an input not given, @0 for the
// same value as argument 0, ? for nothing known. `#2` after the bracket asks for two outputs.
// Attributes: 1, 0.5, "text", [1,2], [0.5,1.0], i64[2]={1,2}.
// A rule that rejects its node gives "error: message [code]".
#pragma once

#include <string>
#include <string_view>

namespace ridge::ops::testing {

/// Types of the outputs, constants with their elements.
std::string shapes(std::string_view node);
/// "macs 24 flops 6", zeros left out; "nothing" where all are.
std::string work(std::string_view node);
/// "read 16 written 8".
std::string bytes(std::string_view node);

}  // namespace ridge::ops::testing
