// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <algorithm>

namespace ridge {

void* Arena::allocate_in_new_block(std::size_t bytes, std::size_t alignment) {
  const std::size_t size = std::max(next_block_, bytes + alignment);
  next_block_ = std::min(next_block_ * 2, std::size_t{4} << 20);
  blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
  at_ = blocks_.back().get();
  left_ = size;
  return allocate(bytes, alignment);
}

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  char* p = static_cast<char*>(allocate(text.size(), 1));
  std::memcpy(p, text.data(), text.size());
  return {p, text.size()};
}

}  // namespace ridge
