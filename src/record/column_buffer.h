// One column of a columns file (column_file.h) while rows are added to it: values side by side, and
// a bit per row that tells whether there is one.
//
//   ColumnBuffer macs("macs", kType<std::int64_t>, nullptr);
//   macs.add(&value, texts);
//   macs.null();
//
// A variant of scalars is a column of integers, reals or texts while all of its values are that,
// and of JSON text once they differ. Ownership: borrows the descriptor. Thread rule: one thread.
// Memory: what the file has, twice while a buffer grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/sink.h"
#include "record/type.h"

namespace ridge::record {

/// Writes values as JSON at the end of a text, through one buffer.
class JsonTexts {
 public:
  JsonTexts() : json_(end_) {}
  /// `field`: what holds the value, or nullptr.
  void append(const Type& type, const void* value, const Field* field, std::string& text);

 private:
  struct End final : Sink {
    void write(std::string_view part) override { text->append(part); }
    std::string* text = nullptr;
  };
  End end_;
  JsonWriter json_;
};

class ColumnBuffer {
 public:
  /// `type`: of the values, without an optional around them; `field`: what holds them, or nullptr.
  ColumnBuffer(std::string name, const Type& type, const Field* field);

  void null();
  /// A value of the type; what is null in JSON is null here.
  void add(const void* value, JsonTexts& texts);

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
  std::string_view valid() const { return nulls_ == 0 ? std::string_view() : valid_; }
  std::string_view offsets() const;
  std::string_view data() const { return data_; }

 private:
  enum class Kind : std::uint8_t { kInteger, kReal, kTruth, kText, kJson, kWord };

  static Kind kind_of(const Type& type);
  void either(const void* value, JsonTexts& texts);
  void scalar(const Type& type, const void* value, JsonTexts& texts);
  void word(const Type& type, const void* value);
  void text(std::string_view text);
  void turn_into(Kind kind, JsonTexts& texts);
  void append_json(std::size_t row, JsonTexts& texts, std::string& out) const;
  std::size_t width() const;
  template <typename T>
  void number(T value);
  void end_row(bool has_value);

  std::string name_;
  const Type* type_;
  const Field* field_;
  Kind kind_;
  bool beyond_signed_ = false;  ///< one of the integers is above 2^63 - 1
  std::size_t rows_ = 0, nulls_ = 0;
  std::string data_, valid_;
  std::vector<std::int64_t> offsets_;  ///< ends of the texts, after a 0
};

}  // namespace ridge::record
