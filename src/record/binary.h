// SPDX-License-Identifier: Apache-2.0
// Described values as bytes, for a pipe between two processes of one program: native byte order, no
// names, fields in their order.
//
//   std::string bytes;
//   put_binary(kType<Scenario>, &scenario, bytes);        // appended
//   std::string_view left = bytes;
//   Scenario copy;
//   if (!take_binary(kType<Scenario>, left, &copy)) ...   // `left` is what follows
//   std::optional<Scenario> all = from_binary<Scenario>(bytes);
//
// The sender's memory may have been overwritten: lengths are compared with what is left before they
// are used, words, truths and alternatives must exist, codecs may refuse; bounds and check() are
// the business of the receiver. Computed fields are left out, fields of the command line alone are
// not. Thread rule: pure. Cost: a call for each value; lists of numbers are copied in one piece.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/describe.h"

namespace ridge::record {

void put_binary(const Type& type, const void* value, std::string& out);

/// False if the bytes are no such value, which may then be in any state.
[[nodiscard]] bool take_binary(const Type& type, std::string_view& bytes, void* out);

template <typename T>
std::string to_binary(const T& value) {
  std::string out;
  put_binary(kType<T>, &value, out);
  return out;
}

/// nullopt unless `bytes` are one T and nothing else.
template <typename T>
std::optional<T> from_binary(std::string_view bytes) {
  std::optional<T> out(std::in_place);
  if (!take_binary(kType<T>, bytes, &*out) || !bytes.empty()) out.reset();
  return out;
}

}  // namespace ridge::record
