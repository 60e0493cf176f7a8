// SPDX-License-Identifier: Apache-2.0
// Views of 12 bytes instead of 16, for tables with one row per node or value of a graph.
//
//   struct Row { Text name; Slice<float> samples; };   // 24 bytes
//
// Both convert from and to the standard views, which code outside such tables uses. Ownership:
// none, like the standard views. At most 2^32 - 1 elements: code that fills a table must bound its
// lists first (the model reader bounds a name's length, and a list by its memory limit).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridge {

#pragma pack(push, 4)
// NOLINTBEGIN(google-explicit-constructor): they replace the standard views
template <typename T>
class Slice {
 public:
  Slice() = default;
  Slice(std::span<const T> items)
      : data_(items.data()), size_(static_cast<std::uint32_t>(items.size())) {}
  Slice(std::span<T> items) : Slice(std::span<const T>(items)) {}

  const T* data() const { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  const T* data_ = nullptr;
  std::uint32_t size_ = 0;
};

class Text {
 public:
  Text() = default;
  Text(std::string_view text)
      : data_(text.data()), size_(static_cast<std::uint32_t>(text.size())) {}
  Text(const char* text) : Text(std::string_view(text)) {}

  std::string_view view() const { return {data_, size_}; }
  operator std::string_view() const { return view(); }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  friend bool operator==(const Text& a, std::string_view b) { return a.view() == b; }
  friend bool operator==(const Text& a, const char* b) { return a.view() == b; }
  friend bool operator==(const Text& a, const Text& b) { return a.view() == b.view(); }

 private:
  const char* data_ = nullptr;
  std::uint32_t size_ = 0;
};
// NOLINTEND(google-explicit-constructor)
#pragma pack(pop)

static_assert(sizeof(Text) == 12 && sizeof(Slice<int>) == 12);

}  // namespace ridge
