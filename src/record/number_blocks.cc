// SPDX-License-Identifier: Apache-2.0
#include "record/number_blocks.h"

namespace ridge::record {
namespace {

template <typename Part>
void widen(const void* bytes, std::int64_t upper, std::span<std::int64_t> out) {
  const auto* parts = static_cast<const Part*>(bytes);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(upper) | parts[i]);
}

}  // namespace

void NumberBlocks::make_room() {
  if (last_.empty())
    last_ = arena_->array<std::int64_t>(kBlock);
  else
    blocks_.push_back(packed());
  filled_ = 0;
}

NumberBlocks::Block NumberBlocks::packed() const {
  std::uint64_t different = 0;
  for (const std::int64_t n : last_) different |= static_cast<std::uint64_t>(n ^ last_.front());
  if (different == 0) return {nullptr, last_.front(), 0};
  if (different < 1U << 8) return lower_parts<std::uint8_t>();
  if (different < 1U << 16) return lower_parts<std::uint16_t>();
  if (different < std::uint64_t{1} << 32) return lower_parts<std::uint32_t>();
  return lower_parts<std::uint64_t>();
}

template <typename Part>
NumberBlocks::Block NumberBlocks::lower_parts() const {
  const std::span<Part> parts = arena_->array<Part>(kBlock);
  for (std::size_t i = 0; i < kBlock; ++i) parts[i] = static_cast<Part>(last_[i]);
  const auto lower = std::uint64_t{static_cast<Part>(-1)};
  const std::uint64_t upper = static_cast<std::uint64_t>(last_.front()) & ~lower;
  return {parts.data(), static_cast<std::int64_t>(upper), sizeof(Part)};
}

void NumberBlocks::unpack(const Block& block, Numbers& out) {
  switch (block.width) {
    case 0:
      return out.fill(block.upper);
    case 1:
      return widen<std::uint8_t>(block.bytes, block.upper, out);
    case 2:
      return widen<std::uint16_t>(block.bytes, block.upper, out);
    case 4:
      return widen<std::uint32_t>(block.bytes, block.upper, out);
    default:
      return widen<std::uint64_t>(block.bytes, block.upper, out);
  }
}

}  // namespace ridge::record
