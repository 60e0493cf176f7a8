#include "base/file_writer.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/file.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

class FileWriterTest : public testing::Test {
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
