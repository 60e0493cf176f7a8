// SPDX-License-Identifier: Apache-2.0
#include "record/column_buffer.h"

#include <algorithm>
#include <array>
#include <bit>
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

/// Writes each number as a T.
template <typename T>
void write_as(const NumberBlocks& numbers, Sink& sink) {
  std::array<T, NumberBlocks::kBlock> out;
  numbers.each([&](std::span<const std::int64_t> block) {
    for (std::size_t i = 0; i < block.size(); ++i) out[i] = static_cast<T>(block[i]);
    sink.write({reinterpret_cast<const char*>(out.data()), block.size() * sizeof(T)});
  });
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

void JsonTexts::append(const Type& type, const void* value, const Field* field, TextData& text) {
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
      numbers_(arena),
      texts_(arena) {}

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

/// Ends a row that has a value.
inline void ColumnBuffer::end_row(std::int64_t number) {
  if (!valid_.empty()) mark_valid();
  ++rows_;
  numbers_.put(number);
}

void ColumnBuffer::mark_valid() {
  if (rows_ % 8 == 0) valid_.push_back('\0');
  valid_.back() = static_cast<char>(valid_.back() | 1 << rows_ % 8);
}

void ColumnBuffer::null() {
  if (leading_nulls_ < rows_) return store_null();
  ++leading_nulls_;
  ++rows_;
}

void ColumnBuffer::store_leading_nulls() {
  if (leading_nulls_ == 0) return;
  valid_.assign((leading_nulls_ + 7) / 8, '\0');
  for (; leading_nulls_ > 0; --leading_nulls_) numbers_.put(0);
}

void ColumnBuffer::store_null() {
  if (valid_.empty()) {  // all rows before it have a value
    valid_.assign(rows_ / 8, '\xFF');
    if (rows_ % 8 != 0) valid_.push_back(static_cast<char>((1 << rows_ % 8) - 1));
  }
  if (rows_ % 8 == 0) valid_.push_back('\0');
  ++rows_;
  numbers_.put(0);
}

void ColumnBuffer::write_offsets(Sink& sink) const {
  std::int64_t end = 0;
  const auto write = [&](std::span<const std::int64_t> offsets) {
    sink.write({reinterpret_cast<const char*>(offsets.data()), offsets.size_bytes()});
  };
  write({&end, 1});
  std::array<std::int64_t, NumberBlocks::kBlock> ends;
  numbers_.each([&](std::span<const std::int64_t> lengths) {
    for (std::size_t i = 0; i < lengths.size(); ++i) ends[i] = end += lengths[i];
    write({ends.data(), lengths.size()});
  });
}

std::size_t ColumnBuffer::data_size() const {
  switch (kind_) {
    case Kind::kTruth:
      return rows_;
    case Kind::kWord:
      return rows_ * sizeof(std::int32_t);
    case Kind::kInteger:
    case Kind::kReal:
      return rows_ * sizeof(std::int64_t);
    default:
      return texts_.size();
  }
}

void ColumnBuffer::write_data(Sink& sink) const {
  switch (kind_) {
    case Kind::kTruth:
      return write_as<std::uint8_t>(numbers_, sink);
    case Kind::kWord:
      return write_as<std::int32_t>(numbers_, sink);
    case Kind::kInteger:
    case Kind::kReal:
      return write_as<std::int64_t>(numbers_, sink);
    default:
      return texts_.held().each([&](std::string_view part) { sink.write(part); });
  }
}

bool ColumnBuffer::has_value(std::size_t row) const {
  return valid_.empty() || (valid_[row / 8] >> row % 8 & 1) != 0;
}

void ColumnBuffer::text(std::string_view text) {
  const std::size_t before = texts_.size();
  texts_.append(is_ascii(text) ? text : std::string_view(valid_utf8(text)));
  end_row(static_cast<std::int64_t>(texts_.size() - before));
}

void ColumnBuffer::json(const Type& t, const void* value, const Field* field, JsonTexts& texts) {
  const std::size_t before = texts_.size();
  texts.append(t, value, field, texts_);
  end_row(static_cast<std::int64_t>(texts_.size() - before));
}

/// Most cells are integers.
inline void ColumnBuffer::integer(const Type& t, const void* value) {
  if (leading_nulls_ > 0) store_leading_nulls();
  beyond_signed_ = beyond_signed_ || beyond_signed(t, value);
  end_row(integer_at(t, value));
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
    kind_ = kind;
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
      return end_row(std::bit_cast<std::int64_t>(real_at(t, v)));
    case Kind::kTruth:
      return end_row(*static_cast<const bool*>(v) ? 1 : 0);
    case Kind::kText:
      return text(t.form == Form::kWord ? word_at(t, v) : text_at(t, v));
    case Kind::kWord:
      return end_row(code_of(t, v));
    case Kind::kJson:
      return json(t, v, field_, texts);
  }
}

void ColumnBuffer::turn_into_json(JsonTexts& texts) {
  ColumnBuffer turned(std::move(name_), *type_, field_, *arena_);
  turned.kind_ = Kind::kJson;
  const std::string data = text_of(texts_.held());
  std::string_view rest = data;
  numbers_.each([&](std::span<const std::int64_t> block) {
    for (const std::int64_t number : block) {
      if (!has_value(turned.rows_)) {
        turned.store_null();
        continue;
      }
      const auto length = kind_ == Kind::kText ? static_cast<std::size_t>(number) : 0;
      copy_as_json(number, rest.substr(0, length), texts, turned);
      rest.remove_prefix(length);
    }
  });
  *this = std::move(turned);
}

/// Adds a cell of this column, which is no JSON text, to one that is.
void ColumnBuffer::copy_as_json(std::int64_t number, std::string_view text, JsonTexts& texts,
                                ColumnBuffer& out) const {
  const bool truth = number != 0;
  if (kind_ == Kind::kText)
    out.json(kType<std::string_view>, &text, nullptr, texts);
  else if (kind_ == Kind::kTruth)
    out.json(kType<bool>, &truth, nullptr, texts);
  else
    out.json(number_type(), &number, nullptr, texts);
}

/// Type of the numbers, or of their bits.
const Type& ColumnBuffer::number_type() const {
  if (kind_ == Kind::kReal) return kType<double>;
  return beyond_signed_ ? kType<std::uint64_t> : kType<std::int64_t>;
}

}  // namespace ridge::record
