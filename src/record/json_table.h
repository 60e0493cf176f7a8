// SPDX-License-Identifier: Apache-2.0
// Writes rows of large tables: the descriptors are constants here, so that the compiler makes one
// straight function of them. The text is as write_json() makes it, without line breaks before
// items. Use it for the type of the items where they are so many that writing them takes noticeable
// time, whichever list they stand in (std::vector, stream.h, rows.h).
//
//   // In Describe<Row>:        static void write(JsonWriter& json, const Row& row);
//   // In one .cc file:
//   void record::Describe<Row>::write(JsonWriter& json, const Row& row) {
//     write_row<kType<Row>>(json, &row);
//   }
//
// Cost: as JsonWriter. Maps and variants of records are written by write_json().
#pragma once

#include <utility>

#include "base/json_writer.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {

template <const Type& t>
void write_row(JsonWriter& json, const void* v);

namespace detail {

// Parts of descriptors are copied into constants: read where they stand, each would cost a line of
// the cache that the document passes through.

template <const Type& t>
void write_items(JsonWriter& json, const void* v) {
  constexpr auto count = t.count;
  constexpr auto address = t.at;
  json.begin_array();
  const std::size_t n = count(v);
  if constexpr (t.one_by_one) {
    for (std::size_t i = 0; i < n; ++i) write_row<*t.item>(json, address(const_cast<void*>(v), i));
  } else {
    const auto* at = n == 0 ? nullptr : static_cast<const char*>(address(const_cast<void*>(v), 0));
    for (std::size_t i = 0; i < n; ++i, at += t.item->size) write_row<*t.item>(json, at);
  }
  json.end_array();
}

template <const Type& t>
void write_streamed(JsonWriter& json, const void* v) {
  constexpr auto each = t.each_streamed;
  json.begin_array();
  each(v, &json, [](void* context, const void* item) {
    write_row<*t.item>(*static_cast<JsonWriter*>(context), item);
  });
  json.end_array();
}

template <const Type& t, std::size_t... is>
void write_alternative(JsonWriter& json, const void* v, std::index_sequence<is...>) {
  constexpr auto count = t.count;
  constexpr auto at = t.at;
  const std::size_t which = count(v);
  const void* alternative = at(const_cast<void*>(v), 0);
  ((which == is ? write_row<*t.alternatives[is]>(json, alternative) : void()), ...);
}

template <const Type& t>
bool is_empty(const void* v) {
  if constexpr (t.form == Form::kText) {
    return text_at(t, v).empty();
  } else if constexpr (t.form == Form::kOptional || t.form == Form::kList) {
    constexpr auto count = t.count;
    return count(v) == 0;
  } else {
    return is_zero(t, v);
  }
}

template <const Type& t, std::size_t i>
void write_field(JsonWriter& json, const void* owner) {
  constexpr Field f = t.field_list[i];
  constexpr std::string_view name = f.name;
  constexpr const Type& type = *f.type;
  if constexpr (f.stands != nullptr) {
    constexpr auto stands = f.stands;
    if (!stands(owner)) return;
  }
  if constexpr (f.omit_empty) {
    constexpr auto member = f.member;
    if (is_empty<type>(member(const_cast<void*>(owner)))) return;
  }
  json.key(name);
  if constexpr (f.applies != nullptr) {
    constexpr auto applies = f.applies;
    if (!applies(owner)) return static_cast<void>(json.null());
  }
  constexpr auto write_value = [](void* context, const void* value) {
    JsonWriter& out = *static_cast<JsonWriter*>(context);
    if constexpr (f.zero_is_null)
      if (is_empty<type>(value)) return static_cast<void>(out.null());
    write_row<type>(out, value);
  };
  if constexpr (f.member != nullptr) {
    constexpr auto member = f.member;
    write_value(&json, member(const_cast<void*>(owner)));
  } else {
    constexpr auto get = f.get;
    get(owner, &json, write_value);
  }
}

template <const Type& t, std::size_t... is>
void write_fields(JsonWriter& json, const void* v, std::index_sequence<is...>) {
  const auto one = [&]<std::size_t i>() {
    constexpr Field f = t.field_list[i];
    static_assert(!f.omitted && !f.command_line_only && !f.on_line && !f.item_lines &&
                      (f.member != nullptr || !f.omit_empty),
                  "not in rows of large tables");
    if constexpr (f.column_only) {
      return;
    } else if constexpr (f.inlined) {
      constexpr auto member = f.member;
      write_fields<*f.type>(json, member(const_cast<void*>(v)),
                            std::make_index_sequence<f.type->field_count>());
    } else {
      write_field<t, i>(json, v);
    }
  };
  (one.template operator()<is>(), ...);
}

}  // namespace detail

template <const Type& t>
void write_row(JsonWriter& json, const void* v) {
  if constexpr (t.form == Form::kTruth) {
    json.value(*static_cast<const bool*>(v));
  } else if constexpr (t.form == Form::kInteger && t.is_signed && t.size == 8) {
    json.value(load<std::int64_t>(v));
  } else if constexpr (t.form == Form::kInteger && !t.is_signed && t.size == 4) {
    json.value(load<std::uint32_t>(v));
  } else if constexpr (t.form == Form::kText && t.borrowed) {
    json.value(*static_cast<const std::string_view*>(v));
  } else if constexpr (t.form == Form::kText) {
    json.value(*static_cast<const std::string*>(v));
  } else if constexpr (t.form == Form::kReal && t.size == sizeof(double)) {
    json.value(load<double>(v));
  } else if constexpr (t.form == Form::kWord) {
    json.value(word_at(t, v));
  } else if constexpr (t.form == Form::kOptional) {
    constexpr auto count = t.count;
    constexpr auto at = t.at;
    if (count(v) == 0)
      json.null();
    else
      write_row<*t.item>(json, at(const_cast<void*>(v), 0));
  } else if constexpr (t.form == Form::kList && t.each_streamed != nullptr) {
    detail::write_streamed<t>(json, v);
  } else if constexpr (t.form == Form::kList) {
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
