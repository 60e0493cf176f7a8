// The record of queries in memory that ridge and the runtime's process share: the process writes,
// and what it wrote is there even if it crashes in the next query.
//
//   QueryLog log = TRY(QueryLog::make(most_queries));     // in ridge; its memory goes to the child
//   QueryLog seen = TRY(QueryLog::map(descriptor, size)); // in the child
//   QueryLog::Writer writer = seen.writer();              // one for each lane
//   if (!writer.add(query)) ...;                          // full
//   std::vector<Query> all = log.queries();               // in the order of their schedule
//
// Layout: chunks of records, which lanes take one by one, so that no two lanes write to one cache
// line. Memory is used as it is written. Cost: 32 bytes and a few nanoseconds a query. Thread rule:
// a writer belongs to one thread; the log may be read at any time, and misses queries that are
// being written. The other process may have corrupted the memory: counts are bounded on reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "scenario/query.h"

namespace ridge::runtime {

class QueryLog {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

  /// Room for so many queries of a few dozen lanes, and one chunk more for each lane.
  static Result<QueryLog> make(std::uint64_t most_queries, std::uint32_t lanes);
  static Result<QueryLog> map(int descriptor, std::size_t bytes);

  class Writer {
   public:
    explicit Writer(std::span<std::byte> memory) : memory_(memory) {}
    /// False if there is no room left.
    bool add(const scenario::Query& query);

   private:
    bool next_chunk();

    std::span<std::byte> memory_;
    std::byte* chunk_ = nullptr;
    std::uint32_t count_ = 0;
  };
  /// Refers to the log's memory, which must outlive it.
  Writer writer() { return Writer(memory_.bytes()); }

  /// The queries so far, ascending by their scheduled moment.
  std::vector<scenario::Query> queries() const;

  const ipc::Descriptor& descriptor() const { return descriptor_; }
  std::size_t bytes() const { return memory_.bytes().size(); }

 private:
  QueryLog(ipc::Descriptor descriptor, ipc::Mapping memory)
      : descriptor_(std::move(descriptor)), memory_(std::move(memory)) {}

  ipc::Descriptor descriptor_;  // not open in the child
  ipc::Mapping memory_;
};

}  // namespace ridge::runtime
