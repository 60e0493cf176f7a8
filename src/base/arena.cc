#include "base/arena.h"

#include <algorithm>

namespace ridge {

namespace {

/// Bytes from an address to the next that is aligned. An alignment is a power of two.
std::size_t padding(const std::byte* at, std::size_t alignment) {
  return (0 - reinterpret_cast<std::uintptr_t>(at)) & (alignment - 1);
}

}  // namespace

void* Arena::allocate(std::size_t bytes, std::size_t alignment) {
  std::size_t pad = padding(at_, alignment);
  if (pad + bytes > left_) {
    const std::size_t size = std::max(next_block_, bytes + alignment);
    next_block_ = std::min(next_block_ * 2, std::size_t{4} << 20);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    at_ = blocks_.back().get();
    left_ = size;
    pad = padding(at_, alignment);
  }
  std::byte* p = at_ + pad;
  at_ = p + bytes;
  left_ -= pad + bytes;
  used_ += bytes;
  return p;
}

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  char* p = static_cast<char*>(allocate(text.size(), 1));
  std::memcpy(p, text.data(), text.size());
  return {p, text.size()};
}

}  // namespace ridge
