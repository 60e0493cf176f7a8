#include "record/column_buffer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "record/describe.h"
#include "record/json_write.h"
#include "record/scalar.h"

namespace ridge::record {

void JsonTexts::append(const Type& type, const void* value, const Field* field, std::string& text) {
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

ColumnBuffer::ColumnBuffer(std::string name, const Type& type, const Field* field)
    : name_(std::move(name)), type_(&type), field_(field), kind_(kind_of(type)) {
  if (has_texts()) offsets_.push_back(0);
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

std::string_view ColumnBuffer::offsets() const {
  return {reinterpret_cast<const char*>(offsets_.data()), offsets_.size() * sizeof(std::int64_t)};
}

/// Bytes of a value that is no text.
std::size_t ColumnBuffer::width() const {
  if (kind_ == Kind::kTruth) return 1;
  return kind_ == Kind::kWord ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

void ColumnBuffer::end_row(bool has_value) {
  if (rows_ % 8 == 0) valid_.push_back('\0');
  if (has_value) valid_.back() = static_cast<char>(valid_.back() | 1 << rows_ % 8);
  nulls_ += has_value ? 0 : 1;
  ++rows_;
  if (has_texts()) offsets_.push_back(static_cast<std::int64_t>(data_.size()));
}

void ColumnBuffer::null() {
  if (!has_texts()) data_.append(width(), '\0');
  end_row(false);
}

template <typename T>
void ColumnBuffer::number(T value) {
  data_.append(reinterpret_cast<const char*>(&value), sizeof value);
  end_row(true);
}

void ColumnBuffer::text(std::string_view text) {
  const bool ascii =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii)
    data_.append(text);
  else
    data_.append(valid_utf8(text));
  end_row(true);
}

void ColumnBuffer::word(const Type& t, const void* value) {
  const std::int64_t number_of = integer_at(t, value);
  const auto at = std::ranges::find(t.words, number_of, &Word::value);
  if (at == t.words.end()) return null();
  number(static_cast<std::int32_t>(at - t.words.begin()));
}

void ColumnBuffer::add(const void* value, JsonTexts& texts) {
  if (type_->form == Form::kEither)
    either(value, texts);
  else
    scalar(*type_, value, texts);
}

void ColumnBuffer::either(const void* value, JsonTexts& texts) {
  const Type& given = *type_->alternatives[type_->count(value)];
  const Kind kind = given.form == Form::kWord ? Kind::kText : kind_of(given);
  if (kind != kind_ && kind_ != Kind::kJson) turn_into(rows_ == nulls_ ? kind : Kind::kJson, texts);
  scalar(given, type_->at_const(value, 0), texts);
}

void ColumnBuffer::scalar(const Type& t, const void* v, JsonTexts& texts) {
  if (t.form == Form::kReal && !std::isfinite(real_at(t, v))) return null();
  switch (kind_) {
    case Kind::kInteger:
      beyond_signed_ = beyond_signed_ || beyond_signed(t, v);
      return number(integer_at(t, v));
    case Kind::kReal:
      return number(real_at(t, v));
    case Kind::kTruth:
      return number(static_cast<char>(*static_cast<const bool*>(v)));
    case Kind::kText:
      return text(t.form == Form::kWord ? word_at(t, v) : text_at(t, v));
    case Kind::kWord:
      return word(t, v);
    case Kind::kJson:
      if (t.form == Form::kJson && is_zero(t, v)) return null();
      texts.append(t, v, field_, data_);
      return end_row(true);
  }
}

/// Into JSON text, or into another kind while no row has a value.
void ColumnBuffer::turn_into(Kind kind, JsonTexts& texts) {
  ColumnBuffer turned(std::move(name_), *type_, field_);
  turned.kind_ = kind;
  turned.offsets_.assign(turned.has_texts() ? 1 : 0, 0);
  for (std::size_t row = 0; row < rows_; ++row) {
    if ((valid_[row / 8] >> row % 8 & 1) == 0) {
      turned.null();
      continue;
    }
    append_json(row, texts, turned.data_);
    turned.end_row(true);
  }
  *this = std::move(turned);
}

void ColumnBuffer::append_json(std::size_t row, JsonTexts& texts, std::string& out) const {
  if (kind_ == Kind::kText) {
    const auto start = static_cast<std::size_t>(offsets_[row]);
    const auto end = static_cast<std::size_t>(offsets_[row + 1]);
    const std::string_view text = std::string_view(data_).substr(start, end - start);
    return texts.append(kType<std::string_view>, &text, nullptr, out);
  }
  const char* at = data_.data() + row * width();
  if (kind_ == Kind::kReal) return texts.append(kType<double>, at, nullptr, out);
  if (kind_ == Kind::kTruth) return texts.append(kType<bool>, at, nullptr, out);
  const Type& integer = beyond_signed_ ? kType<std::uint64_t> : kType<std::int64_t>;
  texts.append(integer, at, nullptr, out);
}

}  // namespace ridge::record
