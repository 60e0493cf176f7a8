// SPDX-License-Identifier: Apache-2.0
// Descriptors that close themselves, and memory that is shared.
#include "ipc/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ridge::ipc {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(Descriptor, ClosesOnceWhatItOwns) {
  const int number = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  {
    Descriptor first(number);
    Descriptor second(std::move(first));
    EXPECT_FALSE(first.is_open());
    EXPECT_EQ(second.get(), number);
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, KnowsThePathOfAFileThatIsStillThere) {
  EXPECT_EQ(Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)).path(), "/dev/null");
  EXPECT_EQ(SharedMemory::make(1)->descriptor.path(), "");
  EXPECT_EQ(Descriptor().path(), "");
}

TEST(Mapping, TwoOfOneMemoryShareItsBytes) {
  const SharedMemory memory = SharedMemory::make(8192).value();
  const Mapping second =
      Mapping::map(memory.descriptor.get(), 4096, Mapping::Access::kRead, 4096).value();
  EXPECT_EQ(second.bytes()[0], std::byte{0});
  memory.bytes()[4096] = std::byte{5};
  EXPECT_EQ(second.bytes()[0], std::byte{5});
  EXPECT_TRUE(Mapping::map(-1, 0, Mapping::Access::kRead).ok()) << "no bytes need no file";
}

TEST(Mapping, WhatTheKernelRefusesIsAnError) {
  const Result<Mapping> none = Mapping::map(-1, 4096, Mapping::Access::kRead);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().text(),
            "error: cannot map 4096 bytes: Bad file descriptor\n"
            "  hint: choose a smaller batch or sequence, or a machine with more memory\n"
            "  [RIDGE-RT-0030]\n");
}

}  // namespace
}  // namespace ridge::ipc
