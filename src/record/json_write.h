// SPDX-License-Identifier: Apache-2.0
// Writes described values as JSON: keys in the order of the fields.
//
//   StringSink sink;
//   write_json(evaluation, sink);            // a whole document and a line end
//   JsonWriter json(sink);
//   write_json(json, scenario);              // a value inside a document
//
// A type with a `schema` begins with the key "schema"; an alternative of a variant with "kind".
// 64-bit unsigned integers are written in full. Line breaks stand where fields ask for them. Thread
// rule: pure. Cost: that of JsonWriter and one call for each value.
#pragma once

#include <span>
#include <string>

#include "base/json_writer.h"
#include "record/describe.h"

namespace ridge::record {

/// `field`: what holds the value, if anything does: it may leave out the key "kind".
void write_json(JsonWriter& json, const Type& type, const void* value,
                const Field* field = nullptr);
/// A record without some of its fields, inlined ones too.
void write_json_without(JsonWriter& json, const Type& type, const void* record,
                        std::span<const Field* const> left_out);

template <typename T>
void write_json(JsonWriter& json, const T& value) {
  write_json(json, kType<T>, &value);
}

template <typename T>
void write_json(const T& value, Sink& sink) {
  JsonWriter json(sink);
  write_json(json, kType<T>, &value);
  sink.write("\n");
}

/// The value as JSON text, without a line end.
std::string json_text(const Type& type, const void* value);

/// A field that no document of this value has now: of the command line alone, or omitted.
bool left_out(const Field& field, const void* owner, const Type& owner_type);
/// A field that is null in documents of this value.
bool is_null(const Field& field, const void* owner);
/// Equal in all that the binary form holds; an absent real equals another.
bool same(const Type& type, const void* a, const void* b);

}  // namespace ridge::record
