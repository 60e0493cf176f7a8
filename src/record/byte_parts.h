// SPDX-License-Identifier: Apache-2.0
// Bytes that grow without being moved: a list of parts in an arena, each as long as all before it,
// up to a limit.
//
//   ByteParts bytes(arena);
//   bytes.append("text");
//   bytes.each([&](std::string_view part) { sink.write(part); });
//
// Ownership: borrows the arena, so many of them share its large blocks. Thread rule: one thread.
// Cost: a copy of each byte; memory is at most twice what was appended, and 64 KiB more for much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace ridge::record {

class ByteParts {
 public:
  explicit ByteParts(Arena& arena) : arena_(&arena) {}

  void append(std::string_view bytes) {
    while (bytes.size() > left_) {
      const std::size_t fits = left_;
      copy(bytes.substr(0, fits));
      bytes.remove_prefix(fits);
      add_part();
    }
    copy(bytes);
  }

  /// use(std::string_view part), in order.
  template <typename Use>
  void each(Use use) const {
    for (const std::span<char>& part : parts_)
      use(std::string_view(part.data(), part.size() - (&part == &parts_.back() ? left_ : 0)));
  }

 private:
  static constexpr std::size_t kFirst = 64, kLargest = std::size_t{64} << 10;

  void copy(std::string_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
    left_ -= bytes.size();
  }
  void add_part() {
    const std::size_t size = std::clamp(capacity_, kFirst, kLargest);
    parts_.emplace_back(static_cast<char*>(arena_->allocate(size, 1)), size);
    at_ = parts_.back().data();
    left_ = size;
    capacity_ += size;
  }

  Arena* arena_;
  std::vector<std::span<char>> parts_;
  char* at_ = nullptr;  ///< in the last part
  std::size_t left_ = 0, capacity_ = 0;
};

}  // namespace ridge::record
