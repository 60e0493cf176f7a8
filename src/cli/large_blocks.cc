// Large blocks of the program's heap in huge pages.
//
// A graph of 200,000 nodes takes 60 to 100 MiB of tables, each touched once or twice. In pages of 4
// KiB the page faults cost as much as reading the file; blocks of 2 MiB and more are therefore
// aligned to huge pages and the kernel is asked for them. Replaces the global operator new of the
// program (not of the libraries); smaller blocks are malloc's as ever. Not under sanitizers, which
// bring their own.
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
  // Fixed limits; glibc would raise them to the largest block that was freed (mallopt(3)).
  mallopt(M_MMAP_THRESHOLD, int{kHugePage});
  mallopt(M_TRIM_THRESHOLD, 2 * int{kHugePage});
}

}  // namespace ridge::cli

#ifndef RIDGE_SANITIZED

namespace {

void* allocate(std::size_t size) noexcept {
  if (size < kHugePage) return std::malloc(size == 0 ? 1 : size);
  if (size > SIZE_MAX - kHugePage) return nullptr;
  // What is left over is a huge page of its own where it takes more than half of one.
  const std::size_t whole = (size + kHugePage / 2) / kHugePage * kHugePage;
  void* block = std::aligned_alloc(kHugePage, std::max(size, whole));
  // Only advice: where the kernel has no huge pages to give, small ones do.
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
