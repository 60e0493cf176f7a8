// SPDX-License-Identifier: Apache-2.0
// Characters of untrusted text that a terminal or a browser acts on, in formats that are read
// again: JSON, TOML and YAML all know \uXXXX.
//
//   json.append(without_disguises("net\u202Egpj"));       // net, then the six characters of \u202e
//
// Thread rule: pure function.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

/// Writes C1 controls and the characters that reorder or break a line (those beyond ASCII that
/// printable() escapes) as \uXXXX, which readers of the format turn back. Input must be valid
/// UTF-8; ASCII is kept as it is.
std::string without_disguises(std::string_view text);

}  // namespace ridge
