// SPDX-License-Identifier: Apache-2.0
#include "onnx/encoder.h"

#include <bit>
#include <iterator>
#include <limits>
#include <protozero/varint.hpp>
#include <utility>

#include "base/checked.h"

namespace ridge::onnx {
namespace {

constexpr std::size_t kBuffer = 256 << 10;

}  // namespace

void Encoder::integer(proto::Tag tag, std::int64_t value) {
  prefix(tag, static_cast<std::uint64_t>(value));
}

void Encoder::real(proto::Tag tag, float value) {
  varint(tag);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const char little[4] = {static_cast<char>(bits), static_cast<char>(bits >> 8),
                          static_cast<char>(bits >> 16), static_cast<char>(bits >> 24)};
  bytes({little, 4});
}

void Encoder::text(proto::Tag tag, std::string_view text) {
  prefix(tag, text.size());
  bytes(text);
}

void Encoder::begin_writing(Sink sink) {
  writing_ = true;
  size_ = 0;
  next_ = 0;
  sink_ = std::move(sink);
}

Result<void> Encoder::finish() {
  flush();
  if (failure_) return std::move(*failure_);
  return {};
}

std::size_t Encoder::open(proto::Tag tag) {
  const std::size_t slot = next_++;
  if (!writing_) {
    lengths_.push_back(0);
    varint(tag);
  } else if (slot < lengths_.size()) {
    prefix(tag, static_cast<std::uint64_t>(lengths_[slot]));
  } else {
    fail(bug("the second description has more messages than the first", "onnx::Encoder"));
  }
  return slot;
}

void Encoder::close(std::size_t slot, std::int64_t before) {
  if (writing_) return;
  const std::int64_t length = size_ - before;
  lengths_[slot] = length;
  grow(protozero::length_of_varint(static_cast<std::uint64_t>(length)));
}

void Encoder::prefix(proto::Tag tag, std::uint64_t value) {
  varint(tag);
  varint(value);
}

void Encoder::varint(std::uint64_t value) {
  char out[protozero::max_varint_length];
  const int length = protozero::add_varint_to_buffer(out, value);
  bytes({out, static_cast<std::size_t>(length)});
}

void Encoder::bytes(std::string_view bytes) {
  grow(std::ssize(bytes));
  if (!writing_ || failure_) return;
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void Encoder::grow(std::int64_t bytes) {
  size_ = checked_add(size_, bytes).value_or(std::numeric_limits<std::int64_t>::max());
}

Result<void> Encoder::pass_on(std::string_view part) {
  flush();
  if (failure_) return *failure_;
  return sink_(part);
}

void Encoder::flush() {
  if (!buffer_.empty() && !failure_) keep(sink_(buffer_));
  buffer_.clear();
}

void Encoder::keep(Result<void> result) {
  if (!result && !failure_) failure_ = std::move(result).error();
}

}  // namespace ridge::onnx
