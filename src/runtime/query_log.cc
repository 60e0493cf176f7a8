#include "runtime/query_log.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

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
constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 26;

}  // namespace

Result<QueryLog> QueryLog::make(std::uint64_t most_queries, std::uint32_t lanes) {
  const std::uint64_t chunks =
      std::min(kMostChunks, most_queries / kPerChunk + 1) + std::uint64_t{lanes} + 1;
  ipc::SharedMemory memory = TRY(ipc::SharedMemory::make(chunks * kChunkBytes));
  reinterpret_cast<Head*>(memory.bytes().data())->taken.store(1);
  return QueryLog(std::move(memory.descriptor), std::move(memory.mapping));
}

Result<QueryLog> QueryLog::map(int descriptor, std::size_t bytes) {
  if (bytes < 2 * kChunkBytes) return bug("a log of queries without room", "QueryLog");
  return QueryLog({}, TRY(ipc::Mapping::map(descriptor, bytes, ipc::Mapping::Access::kReadWrite)));
}

bool QueryLog::Writer::next_chunk() {
  auto* head = reinterpret_cast<Head*>(memory_.data());
  const std::uint64_t at = head->taken.fetch_add(1);
  if (at >= memory_.size() / kChunkBytes) return false;
  chunk_ = memory_.data() + at * kChunkBytes;
  count_ = 0;
  return true;
}

bool QueryLog::Writer::add(const Query& query) {
  if ((chunk_ == nullptr || count_ == kPerChunk) && !next_chunk()) return false;
  std::memcpy(chunk_ + kHeadBytes + count_ * sizeof(Query), &query, sizeof(query));
  reinterpret_cast<ChunkHead*>(chunk_)->count.store(++count_, std::memory_order_release);
  return true;
}

std::vector<Query> QueryLog::queries() const {
  std::byte* const memory = memory_.bytes().data();
  const std::uint64_t chunks = std::min<std::uint64_t>(
      memory_.bytes().size() / kChunkBytes, reinterpret_cast<Head*>(memory)->taken.load());
  std::vector<Query> out;
  for (std::uint64_t c = 1; c < chunks; ++c) {
    std::byte* const chunk = memory + c * kChunkBytes;
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
