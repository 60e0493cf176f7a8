// SPDX-License-Identifier: Apache-2.0
#include "base/disguise.h"

#include <fmt/format.h>

#include "base/character.h"
#include "base/text.h"

namespace ridge {
namespace {

/// True for the first bytes of all characters beyond ASCII that printable() escapes. Those are in
/// the basic plane, in two or three bytes.
bool may_begin_one(char lead) {
  return lead == '\xC2' || lead == '\xD8' || lead == '\xE2' || lead == '\xEF';
}

}  // namespace

std::string without_disguises(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = !may_begin_one(text[at]) ? 1 : lead < 0xE0 ? 2 : 3;
    const std::string_view character = text.substr(at, length);
    at += character.size();
    if (length == 1 || printable(character) == character) {
      out += character;
      continue;
    }
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(first_character(character).code));
  }
  return out;
}

}  // namespace ridge
