// SPDX-License-Identifier: Apache-2.0
// Puts large blocks of the program's heap into huge pages.
//
// A graph of 200,000 nodes has 60 to 100 MiB of tables, each accessed once or twice. With pages of
// 4 KiB the page faults take as long as reading the file; therefore blocks of 2 MiB and more are
// aligned to huge pages, which are requested from the kernel. Replaces the global operator new of
// the program (not of the libraries); smaller blocks use malloc as before. Not under sanitizers,
// which have their own operator new.
#include "cli/large_blocks.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

namespace ridge::cli {

void map_large_blocks() {
  // Setting the limits disables their growth to the largest freed block (mallopt(3)).
  mallopt(M_MMAP_THRESHOLD, int{kHugePage});
  mallopt(M_TRIM_THRESHOLD, 2 * int{kHugePage});
}

}  // namespace ridge::cli

#ifndef RIDGE_SANITIZED

namespace {

void* allocate(std::size_t size) noexcept {
  if (size < kHugePage) return std::malloc(size == 0 ? 1 : size);
  if (size > SIZE_MAX - kHugePage) return nullptr;
  // Rounded to huge pages: a remainder of at least half a huge page gets one of its own.
  const std::size_t whole = (size + kHugePage / 2) / kHugePage * kHugePage;
  void* block = std::aligned_alloc(kHugePage, std::max(size, whole));
  // Only advice: without free huge pages, the kernel uses small ones.
  if (block != nullptr) madvise(block, whole, MADV_HUGEPAGE);
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* block = allocate(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

#endif
