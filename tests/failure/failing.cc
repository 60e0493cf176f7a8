// SPDX-License-Identifier: Apache-2.0
#include "failing.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace ridge::tests {
namespace {

struct State {
  bool armed = false, happened = false;
  Call call = Call::kAllocation;
  Fault fault = Fault::kOnce;
  std::int64_t left = 0;  ///< calls until the failing one
};

State state;
std::int64_t blocks = 0;

bool fails(Call call) {
  if (!state.armed || state.call != call) return false;
  if (state.left > 0) --state.left;
  if (state.left > 0) return false;
  if (state.happened && state.fault == Fault::kOnce) return false;
  return state.happened = true;
}

void* allocate(std::size_t size) noexcept {
  if (fails(Call::kAllocation)) return nullptr;
  void* block = std::malloc(std::max<std::size_t>(size, 1));
  if (block != nullptr) ++blocks;
  return block;
}

void* allocate_or_throw(std::size_t size) {
  if (void* block = allocate(size)) return block;
  throw std::bad_alloc();
}

void release(void* block) noexcept {
  if (block != nullptr) --blocks;
  std::free(block);
}

}  // namespace

Failing::Failing(Call call, std::int64_t i, Fault fault) {
  state = {.armed = true, .happened = false, .call = call, .fault = fault, .left = i};
}
Failing::~Failing() { state.armed = false; }
bool Failing::happened() const { return state.happened; }

std::int64_t live_blocks() { return blocks; }

}  // namespace ridge::tests

using ridge::tests::Call;

void* operator new(std::size_t size) { return ridge::tests::allocate_or_throw(size); }
void* operator new[](std::size_t size) { return ridge::tests::allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return ridge::tests::allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return ridge::tests::allocate(size);
}
void operator delete(void* block) noexcept { ridge::tests::release(block); }
void operator delete[](void* block) noexcept { ridge::tests::release(block); }
void operator delete(void* block, std::size_t) noexcept { ridge::tests::release(block); }
void operator delete[](void* block, std::size_t) noexcept { ridge::tests::release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { ridge::tests::release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  ridge::tests::release(block);
}

extern "C" __attribute__((visibility("default"))) ssize_t pread(int descriptor, void* buffer,
                                                                size_t size, off_t offset) {
  if (ridge::tests::fails(Call::kRead)) return errno = EIO, -1;
  if (ridge::tests::fails(Call::kInterrupt)) return errno = EINTR, -1;
  if (ridge::tests::fails(Call::kEndOfFile)) return 0;
  if (size > 1 && ridge::tests::fails(Call::kShortRead)) size = 1;
  return ::syscall(SYS_pread64, descriptor, buffer, size, offset);
}

extern "C" __attribute__((visibility("default"))) ssize_t write(int descriptor, const void* buffer,
                                                                size_t size) {
  if (ridge::tests::fails(Call::kWrite)) return errno = ENOSPC, -1;
  return ::syscall(SYS_write, descriptor, buffer, size);
}
