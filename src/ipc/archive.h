// Serialization of plain data for the pipe between ridge and its child process. One function per
// type serves both directions:
//
//   template <typename Archive>
//   void fields(Archive& archive, Sample& s) { archive(s.start, s.wall); }
//
//   Encoder out;  out(sample);            std::string bytes = out.take();
//   Decoder in(bytes);  in(sample);       if (!in.complete()) ...
//
// Types that have a record::Describe need no such function: their binary form is in the message.
//
// A runtime may have corrupted the memory of the sender, so a Decoder checks every length against
// the remaining bytes, and returns zeros after the first failure. Native byte order: both sides are
// the same program.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "record/binary.h"

namespace ridge::ipc {

template <typename T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Encoder {
 public:
  template <typename... Ts>
  void operator()(const Ts&... values) {
    (put(values), ...);
  }
  void check(bool) {}
  std::string take() { return std::move(bytes_); }

 private:
  template <Scalar T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  template <typename T>
  void put(const std::vector<T>& items) {
    put(static_cast<std::uint64_t>(items.size()));
    for (const T& item : items) put(item);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <typename Tag>
  void put(const Quantity<Tag>& quantity) {
    put(quantity.count);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  void put(const Error& error) {
    (*this)(error.error_class(), error.code(), error.message(), error.where(), error.file());
    (*this)(error.evidence(), error.hint());
  }
  template <typename T>
    requires std::is_class_v<T>
  void put(const T& value) {
    if constexpr (record::Described<T>)
      record::put_binary(record::kType<T>, &value, bytes_);
    else
      fields(*this, const_cast<T&>(value));  // fields() serves both directions; encoding only reads
  }

  std::string bytes_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : left_(bytes) {}

  template <typename... Ts>
  void operator()(Ts&... values) {
    (get(values), ...);
  }
  /// Checks a constraint that the type does not express; a violation counts as a decoding failure.
  void check(bool holds) { failed_ = failed_ || !holds; }
  /// True if nothing failed and no bytes are left over.
  bool complete() const { return !failed_ && left_.empty(); }

 private:
  bool take(void* out, std::size_t size) {
    if (failed_ || size > left_.size()) {
      failed_ = true;
      return false;
    }
    std::memcpy(out, left_.data(), size);
    left_.remove_prefix(size);
    return true;
  }
  /// Reads a count of items, each of which takes at least one byte.
  std::size_t count() {
    std::uint64_t n = 0;
    get(n);
    check(n <= left_.size());
    return failed_ ? 0 : static_cast<std::size_t>(n);
  }
  void get(bool& value) {
    std::uint8_t byte = 0;
    get(byte);
    check(byte <= 1);
    value = byte == 1;
  }
  template <Scalar T>
  void get(T& value) {
    if (!take(&value, sizeof(value))) value = T{};
  }
  void get(std::string& text) {
    const std::size_t n = count();
    text.assign(left_.substr(0, n));
    left_.remove_prefix(n);
  }
  template <typename T>
  void get(std::vector<T>& items) {
    const std::size_t n = count();
    items.clear();
    for (std::size_t i = 0; i < n && !failed_; ++i) get(items.emplace_back());
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }
  template <typename Tag>
  void get(Quantity<Tag>& quantity) {
    get(quantity.count);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool has = false;
    get(has);
    value.reset();
    if (has) get(value.emplace());
  }
  void get(std::optional<Error>& value) {
    bool has = false;
    get(has);
    value.reset();
    if (has) value = get_error();
  }
  Error get_error() {
    ErrorClass cls{};
    std::string code, message, where, file, evidence, hint;
    (*this)(cls, code, message, where, file, evidence, hint);
    check(cls >= ErrorClass::kInput && cls <= ErrorClass::kBug);
    Error error(failed_ ? ErrorClass::kBug : cls, code, std::move(message));
    if (!where.empty()) error = std::move(error).in(where);
    return std::move(error).in_file(file).evidence(std::move(evidence)).hint(std::move(hint));
  }
  template <typename T>
    requires std::is_class_v<T>
  void get(T& value) {
    if constexpr (record::Described<T>) {
      check(!failed_ && record::take_binary(record::kType<T>, left_, &value));
      if (failed_) value = T{};
    } else {
      fields(*this, value);
    }
  }

  std::string_view left_;
  bool failed_ = false;
};

}  // namespace ridge::ipc
