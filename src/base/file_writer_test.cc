// SPDX-License-Identifier: Apache-2.0
#include "base/file_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"

namespace {

/// Calls of the functions below, in order, while `recording`.
std::vector<std::string> calls;
bool recording = false;
int sync_failure = 0;  ///< errno of the next fsync; 0: it succeeds

std::string kind_of(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode) ? "folder" : "file";
}

}  // namespace

// They take precedence over the C library's in this program.
extern "C" int fsync(int fd) {
  if (recording) calls.push_back("fsync " + kind_of(fd));
  if (sync_failure != 0) {
    errno = std::exchange(sync_failure, 0);
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  if (recording) calls.emplace_back("rename");
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace ridge {
namespace {

namespace fs = std::filesystem;

class FileWriterTest : public ::testing::Test {
 protected:
  FileWriterTest() {
    std::string pattern = (fs::temp_directory_path() / "ridge-writer-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FileWriterTest() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(FileWriterTest, NothingIsThereBeforeTheCommit) {
  FileWriter out = FileWriter::create(path("a")).value();
  ASSERT_TRUE(out.write("one ").ok());
  ASSERT_TRUE(out.write("two").ok());
  EXPECT_FALSE(fs::exists(path("a")));
  ASSERT_TRUE(out.commit().ok());
  EXPECT_EQ(read_file(path("a"), 100).value(), "one two");
}

TEST_F(FileWriterTest, WhatIsNotCommittedGoesAwayAndTheOldContentStays) {
  ASSERT_TRUE(write_file(path("a"), "old").ok());
  {
    FileWriter out = FileWriter::create(path("a")).value();
    ASSERT_TRUE(out.write("new").ok());
  }
  EXPECT_EQ(read_file(path("a"), 100).value(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

TEST_F(FileWriterTest, AFileIsSyncedBeforeItIsRenamedAndItsFolderAfter) {
  recording = true;
  const auto written = write_file(path("a"), "one");
  recording = false;
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(std::exchange(calls, {}),
            (std::vector<std::string>{"fsync file", "rename", "fsync folder"}));
}

TEST_F(FileWriterTest, AFileThatCannotBeSyncedIsNotPutInPlace) {
  ASSERT_TRUE(write_file(path("a"), "old").ok());
  sync_failure = EIO;
  const auto written = write_file(path("a"), "new");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message(), "cannot write it: Input/output error");
  EXPECT_EQ(read_file(path("a"), 100).value(), "old");
}

TEST_F(FileWriterTest, AFileSystemThatSyncsNothingIsWrittenToAllTheSame) {
  sync_failure = EINVAL;
  EXPECT_TRUE(write_file(path("a"), "new").ok());
}

TEST_F(FileWriterTest, WhatWasWrittenCanBeReadBackWhenItsFolderIsGone) {
  fs::create_directory(folder_ / "sub");
  FileWriter out = FileWriter::create(path("sub/a")).value();
  ASSERT_TRUE(out.write("one two").ok());
  fs::remove_all(folder_ / "sub");
  EXPECT_FALSE(out.commit().ok());
  EXPECT_EQ(out.read_back(7), "one two");
}

TEST_F(FileWriterTest, WhetherAPathCanBeWrittenIsKnownBefore) {
  EXPECT_TRUE(check_writable(path("a")).ok());
  EXPECT_TRUE(check_writable("/dev/null").ok());
  EXPECT_FALSE(check_writable(path("no/a")).ok());
  EXPECT_FALSE(check_writable(path("")).ok());
  EXPECT_TRUE(check_writable_folder(path("new/folders")).ok());
  ASSERT_TRUE(write_file(path("file"), "").ok());
  EXPECT_EQ(check_writable_folder(path("file")).error().text(),
            "error: " + path("file") +
                ": cannot write it: Not a directory\n"
                "  hint: a file has this name; name a folder\n  [RIDGE-IO-0006]\n");
  EXPECT_NE(check_writable_folder(path("file/sub"))
                .error()
                .text()
                .find("hint: a file has the name of a folder above it"),
            std::string::npos);
  fs::remove(folder_ / "file");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(FileWriterTest, APathWithAZeroByteIsNone) {
  const std::string written = path("a") + std::string("\0.txt", 5);
  EXPECT_EQ(FileWriter::create(written).error().code(), "RIDGE-IO-0006");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(FileWriterTest, AFullDeviceIsAnEnvironmentError) {
  FileWriter out = FileWriter::create("/dev/full").value();
  const auto written = out.write("x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().text(),
            "error: /dev/full: cannot write it: No space left on device\n"
            "  [RIDGE-IO-0006]\n");
}

}  // namespace
}  // namespace ridge
