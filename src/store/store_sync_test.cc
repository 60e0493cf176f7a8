// SPDX-License-Identifier: Apache-2.0
// A run that was appended is on the disk when append() returns, so that a power failure after it
// loses nothing: the journal is synced with every transaction.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/store.h"
#include "store/testing.h"

namespace {

int syncs = 0;  ///< calls of the functions below

}  // namespace

// They take precedence over the C library's in this program.
extern "C" int fdatasync(int fd) {
  ++syncs;
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

extern "C" int fsync(int fd) {
  ++syncs;
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace ridge::store {
namespace {

TEST(StoreSync, EveryRunIsOnTheDiskWhenItHasBeenAppended) {
  const Folder folder;
  auto store = Store::open(folder.file("runs.db"), Access::kCreate);
  ASSERT_TRUE(store.ok()) << store.error().text();
  ASSERT_TRUE(store->append(filled_profile(1)).ok());
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    syncs = 0;
    ASSERT_TRUE(store->append(filled_profile(seed)).ok());
    EXPECT_GE(syncs, 1) << "run " << seed;
  }
}

}  // namespace
}  // namespace ridge::store
