// Writes JSON as a stream, indented by nothing, one row of an array per line where asked.
//
//   JsonWriter json(sink);
//   json.begin_object().key("name").value("conv1").key("shape");
//   json.begin_array().value(1).null().end_array().end_object();
//
// The caller keeps begin and end balanced (asserted); commas are the writer's. Text is escaped;
// bytes that are no UTF-8 become U+FFFD, so every document is valid whatever a model's names hold.
// A number that JSON has not (NaN, infinity) becomes null.
// Ownership: borrows the sink, which has the document when its outermost value is complete; what is
// left unfinished (an exception on the way) is dropped. Cost: about 1 GB/s; memory is one 64 KiB
// buffer. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/sink.h"

namespace ridge {

class JsonWriter {
 public:
  explicit JsonWriter(Sink& sink);
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() = default;

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  /// Literal keys of our own need no escaping and take the fast path through `key`; anything from
  /// outside goes through `name`.
  JsonWriter& key(std::string_view trusted);
  JsonWriter& name(std::string_view text);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(std::int64_t{number}); }
  JsonWriter& value(std::uint32_t number) { return value(std::int64_t{number}); }
  /// The shortest digits that read back as the same number.
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();
  /// A value that is JSON already, from our own writer.
  JsonWriter& raw(std::string_view json);
  template <typename T>
  JsonWriter& value(const std::optional<T>& known) {
    return known ? value(*known) : null();
  }
  /// Null where there is no text.
  JsonWriter& value_or_null(std::string_view text) { return text.empty() ? null() : value(text); }

  /// A line break before the next item or closing bracket: keeps large documents readable line by
  /// line.
  JsonWriter& line();
  void flush();

 private:
  static constexpr std::size_t kCapacity = std::size_t{64} << 10;
  /// What a bracket, a number or a key with what stands before it takes at most.
  static constexpr std::size_t kShort = 256;

  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& literal(std::string_view text);
  template <typename Number>
  JsonWriter& digits(Number number);
  /// The next byte of the buffer; at least kShort bytes have room there.
  char* room();
  /// Comma and line break before an item.
  char* separated();
  void append(std::string_view text);
  void quote(std::string_view text);
  void done();

  Sink& sink_;
  std::unique_ptr<char[]> buffer_;
  char* at_;          ///< where the next byte goes
  const char* full_;  ///< from here on kShort bytes have no room
  int depth_ = 0;
  bool comma_ = false;  ///< something stands before the next item at this level
  bool line_ = false;
};

}  // namespace ridge
