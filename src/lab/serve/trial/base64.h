// SPDX-License-Identifier: Apache-2.0
// Bytes of a text in base64 (RFC 4648, section 4), as requests carry samples.
//
//   decode_base64("aGk=")      // "hi"
//   decode_base64("aGk")       // nullopt: not padded
//
// Strict: no blanks, no other alphabet, no bits beside the bytes. Thread rule: pure. Cost: linear.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::lab::serve {

std::optional<std::string> decode_base64(std::string_view text);

}  // namespace ridge::lab::serve
