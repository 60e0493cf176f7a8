// SPDX-License-Identifier: Apache-2.0
// One column of a columns file (column_file.h) while rows are added to it: values side by side, and
// a bit per row that tells whether there is one.
//
//   ColumnBuffer macs("macs", kType<std::int64_t>, nullptr, arena);
//   macs.add(&value, texts);
//   macs.null();
//
// A variant of scalars is a column of integers, reals or texts while all of its values are that,
// and of JSON text once they differ. Ownership: borrows the descriptor, the arena and the sink.
// Thread rule: one thread. Memory: texts as in the file, unless they are streamed; numbers and
// lengths of texts less than that (number_blocks.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/sink.h"
#include "record/byte_parts.h"
#include "record/number_blocks.h"
#include "record/type.h"

namespace ridge::record {

/// The texts of a column, one after the other: in memory, or in a sink from some row on.
class TextData {
 public:
  explicit TextData(Arena& arena) : held_(arena) {}

  void append(std::string_view text) {
    size_ += text.size();
    if (sink_ == nullptr)
      held_.append(text);
    else
      sink_->write(text);
  }
  std::size_t size() const { return size_; }
  /// Hands on what there is, and all that follows.
  void stream_to(Sink& sink) {
    sink_ = &sink;
    held_.each([&](std::string_view part) { sink.write(part); });
  }
  bool streamed() const { return sink_ != nullptr; }
  const ByteParts& held() const { return held_; }

 private:
  ByteParts held_;
  Sink* sink_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes values as JSON at the end of a text, through one buffer.
class JsonTexts {
 public:
  JsonTexts() : json_(end_) {}
  /// `field`: what holds the value, or nullptr.
  void append(const Type& type, const void* value, const Field* field, TextData& text);

 private:
  struct End final : Sink {
    void write(std::string_view part) override { text->append(part); }
    TextData* text = nullptr;
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
  /// Hands its texts to the sink from now on, and those that it has.
  void stream_to(Sink& sink) { texts_.stream_to(sink); }

  const std::string& name() const { return name_; }
  std::size_t rows() const { return rows_; }
  /// int64, uint64, float64, bool, text, json or word.
  std::string_view type_name() const;
  /// Meanings of the codes of a column of words.
  std::span<const Word> words() const { return type_->words; }
  /// Whether it is a column of text or JSON text, which has offsets.
  bool has_texts() const { return kind_ == Kind::kText || kind_ == Kind::kJson; }

  /// Whether its texts may be streamed: they stay texts of one kind, whatever follows.
  bool can_stream() const { return has_texts() && type_->form != Form::kEither; }
  bool streamed() const { return texts_.streamed(); }

  // Buffers as they stand in the file.
  /// A bit per row; empty: no row is null.
  const std::string& valid() const { return valid_; }
  /// rows() + 1 integers of 64 bits.
  void write_offsets(Sink& sink) const;
  std::size_t data_size() const;
  /// Writes the values of a column that is not streamed.
  void write_data(Sink& sink) const;

 private:
  enum class Kind : std::uint8_t { kInteger, kReal, kTruth, kText, kJson, kWord };

  static Kind kind_of(const Type& type);
  void either(const void* value, JsonTexts& texts);
  void scalar(const Type& type, const void* value, JsonTexts& texts);
  void integer(const Type& type, const void* value);
  void text(std::string_view text);
  void json(const Type& type, const void* value, const Field* field, JsonTexts& texts);
  void turn_into_json(JsonTexts& texts);
  void copy_as_json(std::int64_t number, std::string_view text, JsonTexts& texts,
                    ColumnBuffer& out) const;
  void store_leading_nulls();
  void store_null();
  const Type& number_type() const;
  void end_row(std::int64_t number);
  void mark_valid();
  bool has_value(std::size_t row) const;

  Arena* arena_;
  std::string name_;
  const Type* type_;
  const Field* field_;
  Kind kind_;
  bool beyond_signed_ = false;  ///< one of the integers is above 2^63 - 1
  std::size_t rows_ = 0;
  std::size_t leading_nulls_ = 0;  ///< not stored yet: no row has a value
  NumberBlocks numbers_;  ///< integers, bits of reals, truths, codes of words, lengths of texts
  TextData texts_;
  std::string valid_;  ///< once a null is stored: a bit per row
};

}  // namespace ridge::record
