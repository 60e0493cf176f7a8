// Checked access to a JSON document from outside: values by path, with one error for the whole
// document.
//
//   std::string why;
//   const nlohmann::json document = json_object(text, why);      // why: "" if it is an object
//   std::optional<std::string> failure;
//   const JsonAt at(document, failure);
//   run.threads = at["setup"]["threads"].integer();
//   at["layers"].each([&](const JsonAt& row) { run.layers.push_back(row["name"].text()); });
//   if (failure) ...                       // "integer at /setup/threads"
//
// The first failure is kept, and later values read as empty, so that the caller checks once, at the
// end. Thread rule: one thread. Ownership: borrows the document and the failure.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ridge {

/// Parses a document whose outermost value is an object. On failure sets `why` and returns null.
/// Brackets may be nested at most 64 levels deep: the JSON library writes values back recursively.
nlohmann::json json_object(std::string_view text, std::string& why);

/// A value of a document and its path. Must not outlive the value it was created from.
class JsonAt {
 public:
  JsonAt(const nlohmann::json& value, std::optional<std::string>& failure)
      : value_(value), failure_(failure) {}

  std::optional<JsonAt> find(const char* key) const;
  /// An absent key is a failure.
  JsonAt operator[](const char* key) const;
  template <typename Visit>
  void each(Visit visit) const {
    if (!value_.is_array()) return fail("array");
    for (std::size_t i = 0; i < value_.size() && !failure_; ++i)
      visit(JsonAt(value_[i], *this, nullptr, i));
  }
  template <typename Visit>
  void each_key(Visit visit) const {
    if (!value_.is_object()) return fail("object");
    for (auto it = value_.begin(); it != value_.end() && !failure_; ++it)
      visit(it.key(), JsonAt(it.value(), *this, it.key().c_str(), 0));
  }

  bool null() const { return value_.is_null(); }
  std::string text() const;
  /// Returns "" for null.
  std::string text_or_null() const { return null() ? "" : text(); }
  bool truth() const;
  double number() const;
  /// Returns NaN for null, which marks an unknown figure.
  double figure() const { return null() ? std::numeric_limits<double>::quiet_NaN() : number(); }
  std::int64_t integer() const;
  template <typename Integer>
  Integer below(std::uint64_t end) const {
    const std::int64_t n = integer();
    if (n >= 0 && static_cast<std::uint64_t>(n) < end) return static_cast<Integer>(n);
    return fail("integer below " + std::to_string(end)), Integer{0};
  }
  std::uint32_t row() const { return below<std::uint32_t>(std::uint64_t{1} << 32); }
  std::optional<std::int64_t> count() const {
    return null() ? std::nullopt : std::optional(integer());
  }
  std::optional<double> real() const { return null() ? std::nullopt : std::optional(number()); }
  /// Returns the value of an enumeration whose name() is the text.
  template <typename Enum, std::size_t n>
  Enum one_of(const std::array<Enum, n>& all) const {
    const std::string given = text();
    for (const Enum e : all)
      if (name(e) == given) return e;
    return fail(key_ == nullptr ? "name" : key_), all[0];
  }
  /// The value as JSON.
  std::string dump() const;
  /// Records "WANTED at /path/to/the/value".
  void fail(std::string_view wanted) const;

 private:
  JsonAt(const nlohmann::json& value, const JsonAt& parent, const char* key, std::size_t index)
      : value_(value), failure_(parent.failure_), parent_(&parent), key_(key), index_(index) {}
  std::string path() const;

  const nlohmann::json& value_;
  std::optional<std::string>& failure_;
  const JsonAt* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace ridge
