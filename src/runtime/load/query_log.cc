// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/query_log.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace ridge::runtime {
namespace {

using scenario::Query;

/// At the beginning of the first chunk, which has no records: chunks taken so far, itself included.
struct Head {
  std::atomic<std::uint64_t> taken;
};
/// At the beginning of every other chunk: records in it.
struct ChunkHead {
  std::atomic<std::uint32_t> count;
};
constexpr std::size_t kHeadBytes = 64;
constexpr std::uint32_t kPerChunk = (QueryLog::kChunkBytes - kHeadBytes) / sizeof(Query);
constexpr std::uint64_t kMaxChunks = std::uint64_t{1} << 20;

}  // namespace

QueryLog::Windows::Windows(int descriptor, std::size_t bytes)
    : descriptor_(descriptor), bytes_(bytes), mapped_((bytes + kWindowBytes - 1) / kWindowBytes) {}

Result<std::unique_ptr<QueryLog::Windows>> QueryLog::Windows::make(int descriptor,
                                                                   std::size_t bytes) {
  std::unique_ptr<Windows> out(new Windows(descriptor, bytes));
  TRY(out->map_window(0));
  return out;
}

Result<void> QueryLog::Windows::map_window(std::size_t window) {
  const std::size_t offset = window * kWindowBytes;
  mapped_[window] = TRY(ipc::Mapping::map(descriptor_, std::min(kWindowBytes, bytes_ - offset),
                                          ipc::Mapping::Access::kReadWrite, offset));
  return {};
}

std::byte* QueryLog::Windows::chunk(std::uint64_t at) {
  const auto offset = static_cast<std::size_t>(at) * kChunkBytes;
  const std::size_t window = offset / kWindowBytes;
  const std::lock_guard lock(mutex_);
  if (mapped_[window].bytes().empty() && !map_window(window).ok()) return nullptr;
  return mapped_[window].bytes().data() + offset % kWindowBytes;
}

std::size_t QueryLog::Windows::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t out = 0;
  for (const ipc::Mapping& window : mapped_) out += window.bytes().size();
  return out;
}

Result<QueryLog> QueryLog::make(std::uint64_t max_queries, std::uint32_t workers) {
  const std::uint64_t chunks =
      std::min(kMaxChunks, max_queries / kPerChunk + 1) + std::uint64_t{workers} + 1;
  const std::size_t bytes = chunks * kChunkBytes;
  ipc::Descriptor descriptor = TRY(ipc::SharedMemory::make_unmapped(bytes));
  std::unique_ptr<Windows> memory = TRY(Windows::make(descriptor.get(), bytes));
  reinterpret_cast<Head*>(memory->head())->taken.store(1);
  return QueryLog(std::move(descriptor), std::move(memory));
}

Result<QueryLog> QueryLog::map(int descriptor, std::size_t bytes) {
  if (bytes < 2 * kChunkBytes) return bug("a log of queries without room", "QueryLog");
  return QueryLog({}, TRY(Windows::make(descriptor, bytes)));
}

bool QueryLog::Writer::next_chunk() {
  const std::uint64_t at = reinterpret_cast<Head*>(memory_.head())->taken.fetch_add(1);
  if (at >= memory_.chunks()) return false;
  std::byte* const chunk = memory_.chunk(at);
  if (chunk == nullptr) return false;
  chunk_ = chunk;
  count_ = 0;
  return true;
}

bool QueryLog::Writer::add(const Query& query) {
  if ((chunk_ == nullptr || count_ == kPerChunk) && !next_chunk()) return false;
  std::memcpy(chunk_ + kHeadBytes + count_ * sizeof(Query), &query, sizeof(query));
  reinterpret_cast<ChunkHead*>(chunk_)->count.store(++count_, std::memory_order_release);
  return true;
}

Result<std::vector<Query>> QueryLog::queries() const {
  const std::uint64_t chunks =
      std::min(memory_->chunks(), reinterpret_cast<Head*>(memory_->head())->taken.load());
  const ipc::Mapping all = TRY(ipc::Mapping::map(memory_->descriptor(), chunks * kChunkBytes,
                                                 ipc::Mapping::Access::kReadWrite));
  std::vector<Query> out;
  for (std::uint64_t c = 1; c < chunks; ++c) {
    std::byte* const chunk = all.bytes().data() + c * kChunkBytes;
    const std::uint32_t count = std::min(
        kPerChunk, reinterpret_cast<ChunkHead*>(chunk)->count.load(std::memory_order_acquire));
    const std::size_t before = out.size();
    out.resize(before + count);
    if (count > 0) std::memcpy(&out[before], chunk + kHeadBytes, count * sizeof(Query));
  }
  std::ranges::sort(out, {}, &Query::scheduled_ns);
  return out;
}

}  // namespace ridge::runtime
