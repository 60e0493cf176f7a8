// SPDX-License-Identifier: Apache-2.0
// Streaming JSON writer without indentation, with line breaks where requested.
//
//   JsonWriter json(sink);
//   json.begin_object().key("name").value("conv1").key("shape");
//   json.begin_array().value(1).null().end_array().end_object();
//
// The caller keeps begin and end balanced (asserted); the writer inserts commas. Text is escaped;
// invalid UTF-8 becomes U+FFFD, so every document is valid whatever a model's names contain. NaN
// and infinity, which JSON cannot represent, become null. Ownership: borrows the sink, which has
// received the whole document once its outermost value is complete; the destructor does not flush
// an incomplete document (for example after an exception). Cost: about 1 GB/s; memory is one 64 KiB
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

  /// `key` writes trusted literal keys without escaping (the fast path); `name` escapes keys that
  /// come from outside.
  JsonWriter& key(std::string_view trusted);
  JsonWriter& name(std::string_view text);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(std::int64_t{number}); }
  JsonWriter& value(std::uint32_t number) { return value(std::int64_t{number}); }
  /// Writes the shortest digits that parse to the same number.
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();
  /// Writes a value that is already JSON, produced by a JsonWriter.
  JsonWriter& raw(std::string_view json);
  template <typename T>
  JsonWriter& value(const std::optional<T>& known) {
    return known ? value(*known) : null();
  }

  /// Inserts a line break before the next item or closing bracket, which keeps large documents
  /// readable.
  JsonWriter& line();
  /// The next value begins a document of its own, without a comma before it.
  void next_document() { comma_ = false; }
  void flush();

 private:
  static constexpr std::size_t kCapacity = std::size_t{64} << 10;
  /// Upper bound on the bytes of a bracket, a number or a key, with its separator.
  static constexpr std::size_t kShort = 256;

  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& literal(std::string_view text);
  template <typename Number>
  JsonWriter& digits(Number number);
  /// Returns the next free byte of the buffer, with space for at least kShort bytes.
  char* room();
  /// Writes the pending comma and line break before an item and returns the next free byte.
  char* separated();
  void append(std::string_view text);
  void quote(std::string_view text);
  void done();

  Sink& sink_;
  std::unique_ptr<char[]> buffer_;
  char* at_;          ///< next free byte
  const char* full_;  ///< beyond this fewer than kShort bytes are free
  int depth_ = 0;
  bool comma_ = false;  ///< the next item needs a comma before it
  bool line_ = false;
};

}  // namespace ridge
