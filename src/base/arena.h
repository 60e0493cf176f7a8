// SPDX-License-Identifier: Apache-2.0
// Bump allocator for objects that share one lifetime: names, attributes and shapes of one model.
//
// Ownership: the arena owns all memory that it returns and frees it in its destructor. Only
// trivially destructible types. Not thread-safe.
// Cost: one pointer bump per allocation, one malloc per block (64 KiB, doubling to 4 MiB).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ridge {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  /// Returns `bytes` uninitialized bytes. `alignment` must be a power of two.
  void* allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t pad = (0 - reinterpret_cast<std::uintptr_t>(at_)) & (alignment - 1);
    if (pad + bytes > left_) [[unlikely]]
      return allocate_in_new_block(bytes, alignment);
    std::byte* const p = at_ + pad;
    at_ = p + bytes;
    left_ -= pad + bytes;
    used_ += bytes;
    return p;
  }

  /// Returns `n` value-initialized elements.
  template <typename T>
  std::span<T> array(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (n == 0) return {};
    T* p = static_cast<T*>(allocate(n * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(p, n);
    return {p, n};
  }

  template <typename T>
  T* make(T value = {}) {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (allocate(sizeof(T), alignof(T))) T(std::move(value));
  }

  /// Returns a copy of `items` that lives as long as the arena.
  template <typename T>
  std::span<T> copy(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    T* p = static_cast<T*>(allocate(items.size_bytes(), alignof(T)));
    std::memcpy(static_cast<void*>(p), items.data(), items.size_bytes());
    return {p, items.size()};
  }
  template <typename T>
  std::span<T> copy(const std::vector<T>& items) {
    return copy(std::span<const T>(items));
  }
  std::string_view copy(std::string_view text);

  std::size_t bytes_used() const { return used_; }

 private:
  void* allocate_in_new_block(std::size_t bytes, std::size_t alignment);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* at_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_block_ = std::size_t{64} << 10;
  std::size_t used_ = 0;
};

}  // namespace ridge
