// A bounded walk over protobuf bytes, in memory or in a file of any size. Private to src/onnx.
//
//   WireReader in(file);
//   Field field;
//   while (in.next(field)) {
//     switch (field.tag) {
//       case proto::model::kIrVersion: version = static_cast<std::int64_t>(field.value); break;
//       case proto::model::kGraph: { Message message(in, field, "GraphProto"); …; break; }
//     }                                   // what a case leaves unread is skipped
//   }
//   if (in.failed()) return in.take_error();
//
// A file is seen through a read window: 4 KiB after a jump (over a weight), doubling to 256 KiB
// while the walk is sequential. No length is believed before it was compared with what remains of
// the message around it. protozero decodes the varints; its pbf_reader is not used because it wants
// the whole message in memory and cuts lengths to 32 bits.
//
// Failure is sticky: the first Error stays, every later call gives nothing, so that a loop ends by
// itself and is checked once, after it. Ownership: borrows the file or the bytes. Not thread-safe.
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
  std::uint64_t value =
      0;                ///< varint or fixed bits; of a length-delimited field its length in bytes
  std::int64_t at = 0;  ///< where the field's tag stands
  std::int64_t payload = 0;  ///< where its content starts
  std::int64_t length() const {
    return static_cast<std::int64_t>(value);
  }  ///< checked: never past the message
};

class WireReader {
 public:
  /// `source` ends the sentence "at byte 0x10 of …".
  explicit WireReader(std::string_view bytes, const char* source = "the file");
  explicit WireReader(const File& file);

  /// The next field of the present message; false at its end or after a failure.
  bool next(Field& field) {
    // Most fields have a tag of one byte and a length of one or two, all seen at once.
    const std::int64_t at = resume_ - base_;
    if (at >= 0 && at + 3 <= window_ && resume_ + 3 <= end_ && !failed()) [[likely]] {
      const auto byte = [&](std::int64_t i) { return static_cast<unsigned char>(data_[at + i]); };
      const bool bytes = (byte(0) & 0x87U) == 2 && byte(0) >= 8;  // and the field's number is not 0
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

  // The content of a length-delimited field, for those that are neither message nor text: packed
  // numbers. Open it with Message first; more() is false at its end or after a failure.
  bool more();
  std::uint64_t varint();
  std::uint32_t fixed32();

  /// Fills `out` with the first out.size() bytes of a length-delimited field. Does not move.
  void content(const Field& field, std::span<std::byte> out);

  /// The content of a length-delimited field where it lies whole in the window, else empty. Good
  /// until the next call.
  std::string_view visible(const Field& field) const {
    const std::int64_t at = field.payload - base_;
    if (at < 0 || at > window_ || field.length() > window_ - at) return {};
    return {data_ + at, static_cast<std::size_t>(field.length())};
  }

  /// How many length-delimited fields of each number below 32 the rest of the present message
  /// holds. Does not move.
  using Counts = std::array<std::uint32_t, 32>;
  Counts count();

  /// Back to the first field of the present message.
  void rewind() { resume_ = begin_; }
  /// Goes on at an absolute position inside the present message, where a field starts.
  void resume_at(std::int64_t position) { resume_ = position; }

  /// The text of the last field `tag` that can be read in [begin, end), cut to 120 bytes. For
  /// messages about failures: works after one.
  std::string find_text(std::int64_t begin, std::int64_t end, proto::Tag tag) const;

  bool failed() const { return error_.has_value(); }
  /// Keeps the first failure.
  void fail(Error error);
  /// Adds a place to the failure.
  void add_place(std::string_view place) { error_ = std::move(*error_).in(place); }
  Error take_error() { return std::move(*error_); }

  /// "at byte 0x1a4c of the file (TensorProto.raw_data)"
  std::string evidence(std::int64_t at, std::string_view what) const;
  std::int64_t position() const { return base_ + at_; }
  /// Where the present message begins.
  std::int64_t message_start() const { return begin_; }
  bool is_file() const { return file_ != nullptr; }

 private:
  friend class Message;
  bool decode(std::uint64_t& value) {
    // Most varints are a tag or a short length: one byte, seen whole.
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
  /// Moves to an absolute position. Only decode() and fixed() look at the bytes there, after
  /// ensure().
  void seek(std::int64_t position);
  /// Makes at least min(bytes, what remains of the source) bytes available at the position.
  bool ensure(std::size_t bytes);
  bool load(std::int64_t position);
  std::size_t available() const { return static_cast<std::size_t>(window_ - at_); }

  const File* file_ = nullptr;
  const char* source_ = "the file";
  std::int64_t size_ = 0;  ///< of the file or the bytes

  std::unique_ptr<char[]> buffer_;  ///< of a file
  const char* data_ = nullptr;      ///< the window's first byte
  std::int64_t base_ = 0;           ///< its position in the source
  std::int64_t window_ = 0;         ///< bytes in the window
  std::int64_t at_ = 0;             ///< position in the window; may lie outside it until ensure()
  std::int64_t next_window_ = 0;    ///< bytes to read next

  const char* type_ = "ModelProto";   ///< the present message
  std::int64_t begin_ = 0, end_ = 0;  ///< its bytes
  std::int64_t resume_ = 0;           ///< where next() goes on

  std::optional<Error> error_;
};

/// Narrows a reader to the content of one length-delimited field, until the end of the scope.
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
