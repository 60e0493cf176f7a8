// SPDX-License-Identifier: Apache-2.0
#include "onnx/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

namespace ridge::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "packed elements are taken as they are");

constexpr std::int64_t kAfterJump = 4 << 10;
constexpr std::int64_t kAtStart = 64 << 10;
constexpr std::int64_t kLargestWindow = 256 << 10;
constexpr std::size_t kLongestVarint = 10;
constexpr const char* kDamaged =
    "the file is damaged or not an ONNX model; export or download it again";

}  // namespace

WireReader::WireReader(std::string_view bytes, const char* source)
    : source_(source),
      size_(static_cast<std::int64_t>(bytes.size())),
      data_(bytes.data()),
      window_(size_),
      end_(size_) {}

WireReader::WireReader(const File& file)
    : file_(&file),
      size_(file.size()),
      buffer_(new char[static_cast<std::size_t>(std::min(size_, kLargestWindow))]),
      data_(buffer_.get()),
      next_window_(kAtStart),
      end_(size_) {}

bool WireReader::next_of_any_form(Field& field) {
  if (failed()) [[unlikely]]
    return false;
  seek(resume_);
  if (position() >= end_) return false;
  field.at = position();
  std::uint64_t tag = 0;
  if (!decode(tag)) return false;
  field.tag = static_cast<proto::Tag>(tag);
  if (tag >> 32 != 0 || proto::number(field.tag) == 0) [[unlikely]] {
    fail(input_error("RIDGE-ONNX-0104", fmt::format("invalid protobuf field number {}", tag >> 3))
             .evidence(evidence(field.at, type_))
             .hint(kDamaged));
    return false;
  }
  bool read = true;
  switch (static_cast<proto::Wire>(tag & 7)) {
    case proto::Wire::varint:
      read = decode(field.value);
      break;
    case proto::Wire::fixed64:
      read = fixed(8, field.value);
      break;
    case proto::Wire::fixed32:
      read = fixed(4, field.value);
      break;
    case proto::Wire::length_delimited:
      read = decode(field.value);
      break;
    default:
      fail(input_error("RIDGE-ONNX-0105", fmt::format("wire type {} is not used by ONNX", tag & 7))
               .evidence(evidence(field.at, fmt::format("{} field {}", type_, tag >> 3)))
               .hint(kDamaged));
      return false;
  }
  if (!read) return false;
  field.payload = resume_ = position();
  if ((tag & 7) != static_cast<std::uint64_t>(proto::Wire::length_delimited)) return true;
  const std::int64_t remains = end_ - resume_;
  if (field.value > static_cast<std::uint64_t>(remains)) return fail_length(field, remains);
  resume_ += field.length();
  return true;
}

bool WireReader::more() {
  if (failed()) return false;
  seek(resume_);
  return position() < end_;
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  if (!decode(value)) return 0;
  resume_ = position();
  return value;
}

std::uint32_t WireReader::fixed32() {
  std::uint64_t bits = 0;
  if (!fixed(4, bits)) return 0;
  resume_ = position();
  return static_cast<std::uint32_t>(bits);
}

void WireReader::content(const Field& field, std::span<std::byte> out) {
  if (failed()) return;
  const std::int64_t at = field.payload - base_;
  const auto wanted = static_cast<std::int64_t>(out.size());
  if (at >= 0 && wanted <= window_ - at) {
    std::memcpy(out.data(), data_ + at, out.size());
  } else if (file_ != nullptr) {
    if (auto done = file_->read_at(field.payload, out); !done) fail(std::move(done).error());
  } else {
    fail(bug("a field outside the bytes", "WireReader::content"));
  }
}

WireReader::Counts WireReader::count() {
  Counts counts{};
  const std::int64_t from = resume_;
  Field field;
  while (next(field)) {
    const std::uint32_t number = proto::number(field.tag);
    if (number < counts.size() && field.tag == proto::bytes(number)) ++counts[number];
  }
  resume_ = from;
  return counts;
}

std::string WireReader::find_text(std::int64_t begin, std::int64_t end, proto::Tag tag) const {
  WireReader again = file_ != nullptr
                         ? WireReader(*file_)
                         : WireReader(std::string_view(data_, static_cast<std::size_t>(size_)));
  again.begin_ = again.resume_ = begin;
  again.end_ = end;
  std::string text;
  Field field;
  while (again.next(field)) {
    // A field that occurs twice has its last value (protobuf's rule for singular fields).
    if (field.tag != tag) continue;
    Field shown = field;
    shown.value = std::min<std::uint64_t>(field.value, 120);
    text.resize(shown.value);
    again.content(shown, std::as_writable_bytes(std::span(text)));
  }
  return text;
}

void WireReader::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

std::string WireReader::evidence(std::int64_t at, std::string_view what) const {
  return fmt::format("at byte {:#x} of {} ({})", at, source_, what);
}

bool WireReader::decode_long(std::uint64_t& value) {
  if (!ensure(kLongestVarint)) return false;
  const char* at = data_ + at_;
  const char* const end = at + std::min(window_ - at_, end_ - position());
  try {
    value = protozero::decode_varint(&at, end);
  } catch (const protozero::varint_too_long_exception&) {
    return fail_varint(true);
  } catch (const protozero::end_of_buffer_exception&) {
    return fail_varint(false);
  }
  at_ = at - data_;
  return true;
}

bool WireReader::fixed(std::size_t bytes, std::uint64_t& value) {
  if (!ensure(bytes)) return false;
  if (end_ - position() < static_cast<std::int64_t>(bytes)) return fail_varint(false);
  value = 0;
  std::memcpy(&value, data_ + at_, bytes);
  at_ += static_cast<std::int64_t>(bytes);
  return true;
}

bool WireReader::fail_length(const Field& field, std::int64_t remains) {
  const std::string what = fmt::format("{} field {}", type_, proto::number(field.tag));
  if (outermost()) {
    fail(input_error("RIDGE-ONNX-0101",
                     fmt::format("the file is truncated: {} bytes expected, {} available",
                                 field.value, remains))
             .evidence(evidence(field.at, what))
             .hint("export or download it again"));
  } else {
    fail(input_error("RIDGE-ONNX-0102",
                     fmt::format("a length of {} bytes exceeds the remaining {} bytes of the {}",
                                 field.value, remains, type_))
             .evidence(evidence(field.at, what))
             .hint(kDamaged));
  }
  return false;
}

bool WireReader::fail_varint(bool too_long) {
  if (too_long) {
    fail(input_error("RIDGE-ONNX-0103", "a varint of more than 10 bytes")
             .evidence(evidence(position(), type_))
             .hint(kDamaged));
  } else if (outermost()) {
    fail(input_error("RIDGE-ONNX-0101", "the file is truncated: it ends inside a number")
             .evidence(evidence(position(), type_))
             .hint("export or download it again"));
  } else {
    fail(input_error("RIDGE-ONNX-0102", fmt::format("the {} ends inside a number", type_))
             .evidence(evidence(position(), type_))
             .hint(kDamaged));
  }
  return false;
}

void WireReader::seek(std::int64_t position) { at_ = position - base_; }

bool WireReader::ensure(std::size_t bytes) {
  if (failed()) return false;
  const auto wanted = static_cast<std::int64_t>(bytes);
  if (at_ >= 0 && window_ - at_ >= wanted) [[likely]]
    return true;
  if (file_ == nullptr || (at_ >= 0 && at_ <= window_ && base_ + window_ == size_)) return true;
  return load(position());
}

bool WireReader::load(std::int64_t position) {
  // Windows double from 64 to 256 KiB while reading goes on. A jump means that a weight was
  // skipped, so little is needed next: 4 KiB, then doubling again.
  const bool sequential = position >= base_ && position <= base_ + window_;
  if (!sequential) next_window_ = kAfterJump;
  const std::int64_t bytes = std::min(next_window_, size_ - position);
  auto done = file_->read_at(
      position, std::as_writable_bytes(std::span(buffer_.get(), static_cast<std::size_t>(bytes))));
  if (!done) {
    fail(std::move(done).error());
    return false;
  }
  next_window_ = std::min(next_window_ * 2, kLargestWindow);
  base_ = position;
  window_ = bytes;
  at_ = 0;
  return true;
}

Message::Message(WireReader& in, const Field& field, const char* type)
    : in_(in), type_(in.type_), begin_(in.begin_), end_(in.end_), resume_(in.resume_) {
  in.type_ = type;
  in.begin_ = in.resume_ = field.payload;
  in.end_ = field.payload + field.length();
}

Message::~Message() {
  in_.type_ = type_;
  in_.begin_ = begin_;
  in_.end_ = end_;
  in_.resume_ = resume_;
}

}  // namespace ridge::onnx
