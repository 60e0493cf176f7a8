// SPDX-License-Identifier: Apache-2.0
// Bounds-checked reader of protobuf bytes, in memory or in a file of any size. Private to src/onnx.
//
//   WireReader in(file);
//   Field field;
//   while (in.next(field)) {
//     switch (field.tag) {
//       case proto::model::kIrVersion: version = static_cast<std::int64_t>(field.value); break;
//       case proto::model::kGraph: { Message message(in, field, "GraphProto"); …; break; }
//     }                                   // unread content is skipped
//   }
//   if (in.failed()) return in.take_error();
//
// A file is read through a window: 4 KiB after a jump (over a weight), doubling to 256 KiB while
// reading is sequential. Every length is checked against the rest of the enclosing message before
// use. protozero decodes the varints; its pbf_reader is not used because it needs the whole message
// in memory and truncates lengths to 32 bits.
//
// The first error is kept, and all later calls return nothing, so that a loop ends by itself and
// the caller checks once, after it. Ownership: borrows the file or the bytes. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "onnx/proto.h"

namespace ridge::onnx {

struct Field {
  proto::Tag tag = 0;
  /// Varint or fixed-width bits; for a length-delimited field, its length in bytes.
  std::uint64_t value = 0;
  std::int64_t at = 0;       ///< position of the field's tag
  std::int64_t payload = 0;  ///< position of its content
  /// Length in bytes; checked not to exceed the message.
  std::int64_t length() const { return static_cast<std::int64_t>(value); }
};

class WireReader {
 public:
  /// `source` is used in messages: "at byte 0x10 of …".
  explicit WireReader(std::string_view bytes, const char* source = "the file");
  explicit WireReader(const File& file);

  /// Reads the next field of the current message; false at its end or after a failure.
  bool next(Field& field) {
    // Fast path: most fields have a one-byte tag and a length of one or two bytes in the window.
    const std::int64_t at = resume_ - base_;
    if (at >= 0 && at + 3 <= window_ && resume_ + 3 <= end_ && !failed()) [[likely]] {
      const auto byte = [&](std::int64_t i) { return static_cast<unsigned char>(data_[at + i]); };
      const bool bytes = (byte(0) & 0x87U) == 2 && byte(0) >= 8;  // and the field number is not 0
      const bool two = (byte(1) & 0x80U) != 0;
      if ((byte(0) & 0x87U) == 0 && byte(0) >= 8 && !two) {  // a small number
        resume_ += 2;
        at_ = resume_ - base_;
        field = {byte(0), byte(1), resume_ - 2, resume_};
        return true;
      }
      const std::int64_t length = two ? (byte(1) & 0x7f) | byte(2) << 7 : byte(1);
      const std::int64_t payload = resume_ + (two ? 3 : 2);
      if (bytes && !(two && (byte(2) & 0x80U) != 0) && length <= end_ - payload) [[likely]] {
        field = {byte(0), static_cast<std::uint64_t>(length), resume_, payload};
        at_ = payload - base_;
        resume_ = payload + length;
        return true;
      }
    }
    return next_of_any_form(field);
  }

  // Content of a length-delimited field other than a message or text: packed numbers. Open it with
  // Message first; more() is false at its end or after a failure.
  bool more();
  std::uint64_t varint();
  std::uint32_t fixed32();

  /// Fills `out` with the first out.size() bytes of a length-delimited field. The position is
  /// unchanged.
  void content(const Field& field, std::span<std::byte> out);

  /// Content of a length-delimited field if it is entirely in the window, else empty. Valid until
  /// the next call.
  std::string_view visible(const Field& field) const {
    const std::int64_t at = field.payload - base_;
    if (at < 0 || at > window_ || field.length() > window_ - at) return {};
    return {data_ + at, static_cast<std::size_t>(field.length())};
  }

  /// Number of length-delimited fields of each number below 32 in the rest of the current message.
  /// The position is unchanged.
  using Counts = std::array<std::uint32_t, 32>;
  Counts count();

  /// Returns to the first field of the current message.
  void rewind() { resume_ = begin_; }
  /// Continues at an absolute position in the current message, where a field starts.
  void resume_at(std::int64_t position) { resume_ = position; }

  /// Text of the last field `tag` in [begin, end) that is readable, cut to 120 bytes. For error
  /// messages: works after a failure.
  std::string find_text(std::int64_t begin, std::int64_t end, proto::Tag tag) const;

  bool failed() const { return error_.has_value(); }
  /// Stores the error, unless there is one already.
  void fail(Error error);
  /// Adds a location to the error.
  void add_place(std::string_view place) { error_ = std::move(*error_).in(place); }
  Error take_error() { return std::move(*error_); }

  /// Text such as "at byte 0x1a4c of the file (TensorProto.raw_data)".
  std::string evidence(std::int64_t at, std::string_view what) const;
  std::int64_t position() const { return base_ + at_; }
  /// Position of the current message.
  std::int64_t message_start() const { return begin_; }
  bool is_file() const { return file_ != nullptr; }

 private:
  friend class Message;
  bool decode(std::uint64_t& value) {
    // Fast path: most varints are a tag or a short length, a single byte in the window.
    if (at_ >= 0 && at_ < window_ && position() < end_ && (data_[at_] & 0x80) == 0) {
      value = static_cast<unsigned char>(data_[at_++]);
      return true;
    }
    return decode_long(value);
  }
  bool next_of_any_form(Field& field);
  bool decode_long(std::uint64_t& value);
  bool fixed(std::size_t bytes, std::uint64_t& value);
  bool fail_length(const Field& field, std::int64_t remains);
  bool fail_varint(bool too_long);
  bool outermost() const { return begin_ == 0 && end_ == size_; }
  /// Moves to an absolute position. Only decode() and fixed() access the bytes there, after
  /// ensure().
  void seek(std::int64_t position);
  /// Makes at least min(bytes, rest of the source) bytes available at the position.
  bool ensure(std::size_t bytes);
  bool load(std::int64_t position);
  std::size_t available() const { return static_cast<std::size_t>(window_ - at_); }

  const File* file_ = nullptr;
  const char* source_ = "the file";
  std::int64_t size_ = 0;  ///< size of the file or the bytes

  std::unique_ptr<char[]> buffer_;  ///< window of a file
  const char* data_ = nullptr;      ///< first byte of the window
  std::int64_t base_ = 0;           ///< position of the window in the source
  std::int64_t window_ = 0;         ///< bytes in the window
  std::int64_t at_ = 0;             ///< position in the window; may be outside it until ensure()
  std::int64_t next_window_ = 0;    ///< bytes to read next

  const char* type_ = "ModelProto";   ///< type of the current message
  std::int64_t begin_ = 0, end_ = 0;  ///< its extent
  std::int64_t resume_ = 0;           ///< where next() continues

  std::optional<Error> error_;
};

/// Restricts a reader to the content of one length-delimited field, until the end of the scope.
class Message {
 public:
  Message(WireReader& in, const Field& field, const char* type);
  ~Message();
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

 private:
  WireReader& in_;
  const char* type_;
  std::int64_t begin_, end_, resume_;
};

}  // namespace ridge::onnx
