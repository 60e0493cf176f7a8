// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

TEST(MemoryFile, IsReadByPathUntilItsEnd) {
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make("/dev/shm"));
  {
    const std::optional<MemoryFile> file = MemoryFile::make(folder.path(), 5);
    if (!file) GTEST_SKIP() << "/dev/shm has no room";
    std::memcpy(file->bytes().data(), "hello", 5);
    EXPECT_EQ(expect_ok(read_file(file->path(), 100)), "hello");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(MemoryFile, IsNotMadeWithoutRoom) {
  EXPECT_FALSE(MemoryFile::make("/dev/shm", std::size_t{1} << 62).has_value());
  EXPECT_FALSE(MemoryFile::make("/dev/shm", 0).has_value());
  EXPECT_FALSE(MemoryFile::make("/nowhere", 1).has_value());
  EXPECT_FALSE(MemoryFile::make("/proc", 1).has_value());  // not in memory
  EXPECT_FALSE(MemoryFile::make("", 1).has_value());
}

}  // namespace
}  // namespace ridge::runtime
