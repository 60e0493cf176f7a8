// Writes rows of large tables: the descriptors are constants here, so that the compiler makes one
// straight function of them. The text is that of write_json(), without line breaks before items.
//
//   // In Describe<Row>:        static void write(JsonWriter& json, const Row& row);
//   // In one .cc file:
//   void record::Describe<Row>::write(JsonWriter& json, const Row& row) {
//     write_row<kType<Row>>(json, &row);
//   }
//
// Cost: that of JsonWriter. Maps and variants of records are written by write_json().
#pragma once

#include <utility>

#include "base/json_writer.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {

template <const Type& t>
void write_row(JsonWriter& json, const void* v);

namespace detail {

template <const Type& t>
void write_items(JsonWriter& json, const void* v) {
  json.begin_array();
  const std::size_t n = t.count(v);
  const auto* at = n == 0 ? nullptr : static_cast<const char*>(t.at_const(v, 0));
  for (std::size_t i = 0; i < n; ++i, at += t.item->size) write_row<*t.item>(json, at);
  json.end_array();
}

template <const Type& t, std::size_t... is>
void write_alternative(JsonWriter& json, const void* v, std::index_sequence<is...>) {
  const std::size_t which = t.count(v);
  ((which == is ? write_row<*t.alternatives[is]>(json, t.at_const(v, 0)) : void()), ...);
}

template <const Type& t>
bool is_empty(const void* v) {
  if constexpr (t.form == Form::kText)
    return text_at(t, v).empty();
  else if constexpr (t.form == Form::kOptional || t.form == Form::kList)
    return t.count(v) == 0;
  else
    return is_zero(t, v);
}

template <const Type& t, std::size_t i>
void write_field(JsonWriter& json, const void* owner) {
  constexpr const Field& f = t.field_list[i];
  const auto write_value = [&](const void* value) {
    if constexpr (f.zero_is_null)
      if (is_empty<*f.type>(value)) return static_cast<void>(json.null());
    write_row<*f.type>(json, value);
  };
  if constexpr (f.stands != nullptr)
    if (!f.stands(owner)) return;
  if constexpr (f.member != nullptr) {
    const void* value = f.member(const_cast<void*>(owner));
    if constexpr (f.omit_empty)
      if (is_empty<*f.type>(value)) return;
    json.key(f.name);
    if constexpr (f.applies != nullptr)
      if (!f.applies(owner)) return static_cast<void>(json.null());
    write_value(value);
  } else {
    json.key(f.name);
    if constexpr (f.applies != nullptr)
      if (!f.applies(owner)) return static_cast<void>(json.null());
    f.read(owner, write_value);
  }
}

template <const Type& t, std::size_t... is>
void write_fields(JsonWriter& json, const void* v, std::index_sequence<is...>) {
  const auto one = [&]<std::size_t i>() {
    constexpr const Field& f = t.field_list[i];
    static_assert(!f.omitted && !f.command_line_only && !f.on_line && !f.item_lines &&
                      (f.member != nullptr || !f.omit_empty),
                  "not in rows of large tables");
    if constexpr (f.inlined)
      write_fields<*f.type>(json, f.member(const_cast<void*>(v)),
                            std::make_index_sequence<f.type->field_count>());
    else
      write_field<t, i>(json, v);
  };
  (one.template operator()<is>(), ...);
}

}  // namespace detail

template <const Type& t>
void write_row(JsonWriter& json, const void* v) {
  if constexpr (t.form == Form::kTruth) {
    json.value(*static_cast<const bool*>(v));
  } else if constexpr (t.form == Form::kInteger && (t.is_signed || t.size < 8)) {
    json.value(integer_at(t, v));
  } else if constexpr (t.form == Form::kReal) {
    json.value(real_at(t, v));
  } else if constexpr (t.form == Form::kText) {
    json.value(text_at(t, v));
  } else if constexpr (t.form == Form::kWord) {
    json.value(word_at(t, v));
  } else if constexpr (t.form == Form::kOptional) {
    if (t.count(v) == 0)
      json.null();
    else
      write_row<*t.item>(json, t.at_const(v, 0));
  } else if constexpr (t.form == Form::kList && t.each_streamed == nullptr) {
    detail::write_items<t>(json, v);
  } else if constexpr (t.form == Form::kEither) {
    detail::write_alternative<t>(json, v, std::make_index_sequence<t.alternatives.size()>());
  } else if constexpr (t.form == Form::kRecord && !t.positional && t.schema.empty()) {
    json.begin_object();
    detail::write_fields<t>(json, v, std::make_index_sequence<t.field_count>());
    json.end_object();
  } else {
    write_json(json, t, v);
  }
}

}  // namespace ridge::record
