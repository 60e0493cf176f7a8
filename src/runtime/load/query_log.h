// SPDX-License-Identifier: Apache-2.0
// The record of queries in memory that ridge and the runtime's process share: the process writes,
// and what it wrote is there even if it crashes in the next query.
//
//   QueryLog log = TRY(QueryLog::make(max_queries));     // in ridge; its memory goes to the child
//   QueryLog seen = TRY(QueryLog::map(descriptor, size)); // in the child
//   QueryLog::Writer writer = seen.writer();              // one for each worker
//   if (!writer.add(query)) ...;                          // full
//   std::vector<Query> all = TRY(log.queries());          // in the order of their schedule
//
// Layout: chunks of records, which workers take one by one, so that no two workers write to one
// cache line. Memory and address space are used as it is written: windows of kWindowBytes are
// mapped when a chunk in them is taken. Cost: 32 bytes and a few nanoseconds a query. Thread rule:
// a writer belongs to one thread; the log may be read at any time, and misses queries that are
// being written. The other process may have corrupted the memory: counts are bounded on reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "scenario/query.h"

namespace ridge::runtime {

class QueryLog {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
  static constexpr std::size_t kWindowBytes = 64 * kChunkBytes;

  /// Room for so many queries of a few dozen workers, and one chunk more for each worker.
  static Result<QueryLog> make(std::uint64_t max_queries, std::uint32_t workers);
  /// `descriptor` is borrowed.
  static Result<QueryLog> map(int descriptor, std::size_t bytes);

 private:
  /// Parts of the memory that are mapped.
  class Windows {
   public:
    static Result<std::unique_ptr<Windows>> make(int descriptor, std::size_t bytes);

    /// The chunk at a position below chunks(); nullptr if it cannot be mapped.
    std::byte* chunk(std::uint64_t at);
    std::byte* head() { return mapped_[0].bytes().data(); }
    std::uint64_t chunks() const { return bytes_ / kChunkBytes; }
    std::size_t bytes() const { return bytes_; }
    std::size_t mapped_bytes() const;
    int descriptor() const { return descriptor_; }

   private:
    Windows(int descriptor, std::size_t bytes);
    Result<void> map_window(std::size_t window);

    int descriptor_;
    std::size_t bytes_;
    mutable std::mutex
        mutex_;  // of mapped_, but for its first element, which is there from the start
    std::vector<ipc::Mapping> mapped_;
  };

 public:
  class Writer {
   public:
    explicit Writer(Windows& memory) : memory_(memory) {}
    /// False if there is no room left.
    bool add(const scenario::Query& query);

   private:
    bool next_chunk();

    Windows& memory_;
    std::byte* chunk_ = nullptr;
    std::uint32_t count_ = 0;
  };
  /// Refers to the log's memory, which must outlive it.
  Writer writer() { return Writer(*memory_); }

  /// The queries so far, ascending by their due time. Environment error if the memory
  /// cannot be mapped.
  Result<std::vector<scenario::Query>> queries() const;

  const ipc::Descriptor& descriptor() const { return descriptor_; }
  /// Size of the memory if it were full.
  std::size_t bytes() const { return memory_->bytes(); }
  /// Address space in use.
  std::size_t mapped_bytes() const { return memory_->mapped_bytes(); }

 private:
  QueryLog(ipc::Descriptor descriptor, std::unique_ptr<Windows> memory)
      : descriptor_(std::move(descriptor)), memory_(std::move(memory)) {}

  ipc::Descriptor descriptor_;  // not open in the child
  std::unique_ptr<Windows> memory_;
};

}  // namespace ridge::runtime
