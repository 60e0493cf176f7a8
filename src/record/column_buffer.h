// SPDX-License-Identifier: Apache-2.0
// One column of a columns file (column_file.h) while rows are added to it: values side by side, and
// a bit per row that tells whether there is one.
//
//   ColumnBuffer macs("macs", kType<std::int64_t>, nullptr, arena);
//   macs.add(&value, texts);
//   macs.null();
//
// A variant of scalars is a column of integers, reals or texts while all of its values are that,
// and of JSON text once they differ. Ownership: borrows the descriptor and the arena. Thread rule:
// one thread. Memory: what the file has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/sink.h"
#include "record/byte_parts.h"
#include "record/type.h"

namespace ridge::record {

/// Writes values as JSON at the end of a text, through one buffer.
class JsonTexts {
 public:
  JsonTexts() : json_(end_) {}
  /// `field`: what holds the value, or nullptr.
  void append(const Type& type, const void* value, const Field* field, ByteParts& text);

 private:
  struct End final : Sink {
    void write(std::string_view part) override { text->append(part); }
    ByteParts* text = nullptr;
  };
  End end_;
  JsonWriter json_;
};

class ColumnBuffer {
 public:
  /// `type`: of the values, without an optional around them; `field`: what holds them, or nullptr.
  ColumnBuffer(std::string name, const Type& type, const Field* field, Arena& arena);

  void null();
  /// A value of the type; what is null in JSON is null here.
  void add(const void* value, JsonTexts& texts);
  /// After the last row, before the buffers are read.
  void finish() { store_leading_nulls(); }

  const std::string& name() const { return name_; }
  std::size_t rows() const { return rows_; }
  /// int64, uint64, float64, bool, text, json or word.
  std::string_view type_name() const;
  /// Meanings of the codes of a column of words.
  std::span<const Word> words() const { return type_->words; }
  /// Whether it is a column of text or JSON text, which has offsets.
  bool has_texts() const { return kind_ == Kind::kText || kind_ == Kind::kJson; }

  // Buffers as they stand in the file.
  /// A bit per row; empty: no row is null.
  const std::string& valid() const { return valid_; }
  const ByteParts& offsets() const { return offsets_; }
  const ByteParts& data() const { return data_; }

 private:
  enum class Kind : std::uint8_t { kInteger, kReal, kTruth, kText, kJson, kWord };

  static Kind kind_of(const Type& type);
  void either(const void* value, JsonTexts& texts);
  void scalar(const Type& type, const void* value, JsonTexts& texts);
  void integer(const Type& type, const void* value);
  void text(std::string_view text);
  void turn_into_json(JsonTexts& texts);
  void start(Kind kind);
  void store_leading_nulls();
  void store_null();
  const Type& number_type() const;
  template <typename T>
  void number(T value);
  void end_row();
  bool has_value(std::size_t row) const;

  Arena* arena_;
  std::string name_;
  const Type* type_;
  const Field* field_;
  Kind kind_;
  bool beyond_signed_ = false;  ///< one of the integers is above 2^63 - 1
  std::size_t rows_ = 0;
  std::size_t nulls_ = 0;          ///< stored ones
  std::size_t leading_nulls_ = 0;  ///< not stored yet: no row has a value
  ByteParts data_;
  ByteParts offsets_;  ///< ends of the texts, after a 0: 64 bits each
  std::string valid_;  ///< once a row is null
};

}  // namespace ridge::record
