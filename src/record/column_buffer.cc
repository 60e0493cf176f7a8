// SPDX-License-Identifier: Apache-2.0
#include "record/column_buffer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "record/describe.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {
namespace {

bool is_ascii(std::string_view text) {
  std::uint64_t all = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) all |= load<std::uint64_t>(&text[at]);
  for (; at < text.size(); ++at) all |= static_cast<unsigned char>(text[at]);
  return (all & 0x8080'8080'8080'8080U) == 0;
}

std::string text_of(const ByteParts& bytes) {
  std::string out;
  bytes.each([&](std::string_view part) { out += part; });
  return out;
}

/// Position of a value in the list of its words; the end if it has none.
std::ptrdiff_t code_of(const Type& t, const void* value) {
  const std::int64_t number = integer_at(t, value);
  const auto at = static_cast<std::size_t>(number);
  if (at < t.words.size() && t.words[at].value == number) return static_cast<std::ptrdiff_t>(at);
  return std::ranges::find(t.words, number, &Word::value) - t.words.begin();
}

/// A scalar that is null in documents, or a value without a word.
bool is_missing(const Type& t, const void* v) {
  if (t.form == Form::kReal) return !std::isfinite(real_at(t, v));
  if (t.form == Form::kWord) return code_of(t, v) == std::ssize(t.words);
  return t.form == Form::kJson && is_zero(t, v);
}

}  // namespace

void JsonTexts::append(const Type& type, const void* value, const Field* field, ByteParts& text) {
  end_.text = &text;
  json_.next_document();
  write_json(json_, type, value, field);
}

ColumnBuffer::Kind ColumnBuffer::kind_of(const Type& t) {
  switch (t.form) {
    case Form::kInteger:
      return Kind::kInteger;
    case Form::kReal:
      return Kind::kReal;
    case Form::kTruth:
      return Kind::kTruth;
    case Form::kText:
      return Kind::kText;
    case Form::kWord:
      return Kind::kWord;
    case Form::kEither:
      return kind_of(*t.alternatives[0]);
    default:
      return Kind::kJson;
  }
}

ColumnBuffer::ColumnBuffer(std::string name, const Type& type, const Field* field, Arena& arena)
    : arena_(&arena),
      name_(std::move(name)),
      type_(&type),
      field_(field),
      kind_(kind_of(type)),
      data_(arena),
      offsets_(arena) {
  start(kind_);
}

/// Makes it a column of that kind, which has no row stored.
void ColumnBuffer::start(Kind kind) {
  kind_ = kind;
  offsets_ = ByteParts(*arena_);
  if (has_texts()) offsets_.put(std::int64_t{0});
}

std::string_view ColumnBuffer::type_name() const {
  switch (kind_) {
    case Kind::kInteger:
      return beyond_signed_ ? "uint64" : "int64";
    case Kind::kReal:
      return "float64";
    case Kind::kTruth:
      return "bool";
    case Kind::kText:
      return "text";
    case Kind::kJson:
      return "json";
    default:
      return "word";
  }
}

/// Ends a row that has its value.
inline void ColumnBuffer::end_row() {
  if (nulls_ > 0) {
    if (rows_ % 8 == 0) valid_.push_back('\0');
    valid_.back() = static_cast<char>(valid_.back() | 1 << rows_ % 8);
  }
  ++rows_;
  if (has_texts()) offsets_.put(static_cast<std::int64_t>(data_.size()));
}

template <typename T>
void ColumnBuffer::number(T value) {
  data_.put(value);
  end_row();
}

void ColumnBuffer::null() {
  if (leading_nulls_ < rows_) return store_null();
  ++leading_nulls_;
  ++rows_;
}

void ColumnBuffer::store_leading_nulls() {
  rows_ -= leading_nulls_;
  for (; leading_nulls_ > 0; --leading_nulls_) store_null();
}

void ColumnBuffer::store_null() {
  if (nulls_++ == 0) {  // all rows before it have a value
    valid_.assign(rows_ / 8, '\xFF');
    if (rows_ % 8 != 0) valid_.push_back(static_cast<char>((1 << rows_ % 8) - 1));
  }
  if (rows_ % 8 == 0) valid_.push_back('\0');
  ++rows_;
  switch (kind_) {
    case Kind::kTruth:
      return data_.put(std::uint8_t{0});
    case Kind::kWord:
      return data_.put(std::int32_t{0});
    case Kind::kInteger:
    case Kind::kReal:
      return data_.put(std::int64_t{0});
    default:
      return offsets_.put(static_cast<std::int64_t>(data_.size()));
  }
}

bool ColumnBuffer::has_value(std::size_t row) const {
  return nulls_ == 0 || (valid_[row / 8] >> row % 8 & 1) != 0;
}

void ColumnBuffer::text(std::string_view text) {
  data_.append(is_ascii(text) ? text : std::string_view(valid_utf8(text)));
  end_row();
}

/// Most cells are integers.
inline void ColumnBuffer::integer(const Type& t, const void* value) {
  if (leading_nulls_ > 0) store_leading_nulls();
  beyond_signed_ = beyond_signed_ || beyond_signed(t, value);
  data_.put(integer_at(t, value));
  end_row();
}

void ColumnBuffer::add(const void* value, JsonTexts& texts) {
  if (type_->form == Form::kInteger) return integer(*type_, value);
  if (type_->form == Form::kEither)
    either(value, texts);
  else
    scalar(*type_, value, texts);
}

void ColumnBuffer::either(const void* value, JsonTexts& texts) {
  const Type& given = *type_->alternatives[type_->count(value)];
  if (given.form == Form::kInteger && kind_ == Kind::kInteger)
    return integer(given, type_->at_const(value, 0));
  const Kind kind = given.form == Form::kWord ? Kind::kText : kind_of(given);
  if (kind != kind_ && leading_nulls_ == rows_)
    start(kind);
  else if (kind != kind_ && kind_ != Kind::kJson)
    turn_into_json(texts);
  scalar(given, type_->at_const(value, 0), texts);
}

void ColumnBuffer::scalar(const Type& t, const void* v, JsonTexts& texts) {
  if (is_missing(t, v)) return null();
  if (leading_nulls_ > 0) store_leading_nulls();
  switch (kind_) {
    case Kind::kInteger:
      return integer(t, v);
    case Kind::kReal:
      return number(real_at(t, v));
    case Kind::kTruth:
      return number(static_cast<char>(*static_cast<const bool*>(v)));
    case Kind::kText:
      return text(t.form == Form::kWord ? word_at(t, v) : text_at(t, v));
    case Kind::kWord:
      return number(static_cast<std::int32_t>(code_of(t, v)));
    case Kind::kJson:
      texts.append(t, v, field_, data_);
      return end_row();
  }
}

void ColumnBuffer::turn_into_json(JsonTexts& texts) {
  ColumnBuffer turned(std::move(name_), *type_, field_, *arena_);
  turned.start(Kind::kJson);
  const std::string data = text_of(data_), offsets = text_of(offsets_);
  const auto offset = [&](std::size_t row) {
    return static_cast<std::size_t>(load<std::int64_t>(&offsets[row * sizeof(std::int64_t)]));
  };
  for (std::size_t row = 0; row < rows_; ++row) {
    if (!has_value(row)) {
      turned.store_null();
      continue;
    }
    if (kind_ == Kind::kText) {
      const std::string_view text(&data[offset(row)], offset(row + 1) - offset(row));
      texts.append(kType<std::string_view>, &text, nullptr, turned.data_);
    } else {
      const std::size_t width = kind_ == Kind::kTruth ? 1 : sizeof(std::int64_t);
      texts.append(number_type(), &data[row * width], nullptr, turned.data_);
    }
    turned.end_row();
  }
  *this = std::move(turned);
}

/// Type of the numbers in the buffer.
const Type& ColumnBuffer::number_type() const {
  if (kind_ == Kind::kReal) return kType<double>;
  if (kind_ == Kind::kTruth) return kType<bool>;
  return beyond_signed_ ? kType<std::uint64_t> : kType<std::int64_t>;
}

}  // namespace ridge::record
