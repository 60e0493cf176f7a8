// SPDX-License-Identifier: Apache-2.0
// Values without parts (truth, integer, real, text, word): in memory, and as text. For adapters.
//
//   put(kType<std::uint8_t>, std::int64_t{300}, &byte)           // false: it does not fit
//   scalar_text(kType<double>, &x)                               // "0.25"
//   read_scalar(kType<double>, &rule, "abc", &x)                 // false
//   expected(kType<std::uint8_t>, &rule)                         // "integer from 1 to 64"
//
// A rule is the field with bounds that holds the value; nullptr: none. Thread rule: pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "record/type.h"

namespace ridge::record {

bool is_scalar(const Type& type);
inline bool is_number(const Type& t) { return t.form == Form::kInteger || t.form == Form::kReal; }

template <typename T>
T load(const void* value) {
  T out;
  std::memcpy(&out, value, sizeof out);
  return out;
}

/// Calls `use` with a zero of the integer type that is stored.
template <typename Use>
auto with_integer(const Type& t, Use use) {
  switch (t.size) {
    case 1:
      return t.is_signed ? use(std::int8_t{}) : use(std::uint8_t{});
    case 2:
      return t.is_signed ? use(std::int16_t{}) : use(std::uint16_t{});
    case 4:
      return t.is_signed ? use(std::int32_t{}) : use(std::uint32_t{});
    default:
      return t.is_signed ? use(std::int64_t{}) : use(std::uint64_t{});
  }
}

/// Integers and words: the value, or the bit pattern of an unsigned 64-bit one.
inline std::int64_t integer_at(const Type& t, const void* value) {
  if (t.size == 8) return load<std::int64_t>(value);
  return with_integer(t, [&]<typename T>(T) { return static_cast<std::int64_t>(load<T>(value)); });
}
/// An unsigned integer above 2^63 - 1.
inline bool beyond_signed(const Type& t, const void* value) {
  return t.size == 8 && !t.is_signed && load<std::int64_t>(value) < 0;
}
inline double real_at(const Type& t, const void* value) {
  return t.size == sizeof(float) ? static_cast<double>(load<float>(value)) : load<double>(value);
}
inline std::string_view text_at(const Type& t, const void* value) {
  if (t.borrowed) return *static_cast<const std::string_view*>(value);
  return *static_cast<const std::string*>(value);
}
/// The word of an enumeration's value; "" for a value that has none.
std::string_view word_at(const Type& type, const void* value);
/// False, "", 0, an empty list, an absent optional.
bool is_zero(const Type& type, const void* value);
void make_zero(const Type& type, void* out);

/// Store a number if the type holds it and the rule allows it, else return false. A real takes
/// integers too.
bool put(const Type& type, std::int64_t number, void* out, const Field* rule = nullptr);
bool put(const Type& type, std::uint64_t number, void* out, const Field* rule = nullptr);
bool put(const Type& type, double number, void* out, const Field* rule = nullptr);
/// Text or a word.
bool put(const Type& type, std::string_view text, void* out, const Field* rule = nullptr);
/// An absent real.
void put_nan(const Type& type, void* out);

/// The shortest text that reads back as the same value; "nan" for an absent real.
std::string scalar_text(const Type& type, const void* value);
bool read_scalar(const Type& type, const Field* rule, std::string_view text, void* out);

/// Description of what a value must be: "integer from 1 to 64", "one of os, ws, is".
std::string expected(const Type& type, const Field* rule);
/// The texts that a value may be; empty: any.
std::vector<std::string> allowed_texts(const Type& type, const Field* rule);

}  // namespace ridge::record
