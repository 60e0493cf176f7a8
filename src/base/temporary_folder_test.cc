// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public ::testing::Test {
 protected:
  TemporaryFolderTest() : place_(TemporaryFolder::make(::testing::TempDir()).value()) {}

  /// A process that makes a folder with a file below `place_`, and runs until it is killed.
  struct Other {
    pid_t process = 0;
    std::string folder;
  };
  Other start_other() const {
    int ends[2] = {};
    EXPECT_EQ(::pipe(ends), 0);
    Other out{.process = ::fork(), .folder = {}};
    if (out.process == 0) {
      const TemporaryFolder folder = TemporaryFolder::make(place_.path()).value();
      const bool made = write_file(folder.path() + "/file", "content").ok();
      const std::string line = folder.path() + "\n";
      if (!made || ::write(ends[1], line.data(), line.size()) < 0) _exit(1);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) out.folder += c;
    ::close(ends[0]);
    return out;
  }
  static void kill_and_wait(const Other& other) {
    ::kill(other.process, SIGKILL);
    ::waitpid(other.process, nullptr, 0);
  }
  std::string made(const std::string& name) const {
    std::string path = place_.path() + "/" + name;
    fs::create_directory(path);
    return path;
  }

  TemporaryFolder place_;
};

TEST_F(TemporaryFolderTest, WhatAKilledProcessLeftIsRemovedAndThatOfARunningOneStays) {
  const Other killed = start_other(), running = start_other();
  ASSERT_TRUE(fs::exists(killed.folder + "/file"));
  ASSERT_TRUE(fs::exists(running.folder + "/file"));
  kill_and_wait(killed);
  remove_abandoned_folders(place_.path());
  EXPECT_FALSE(fs::exists(killed.folder));
  EXPECT_TRUE(fs::exists(running.folder + "/file"));
  kill_and_wait(running);
  EXPECT_TRUE(fs::exists(running.folder));
  remove_abandoned_folders(place_.path());
  EXPECT_FALSE(fs::exists(running.folder));
}

TEST_F(TemporaryFolderTest, AnotherProcessOfTheSameNumberKeepsNothing) {
  const Other running = start_other();
  // A folder with the number and place of the process, but with another start.
  std::string name = fs::path(running.folder).filename();
  const std::size_t start = name.find('-', name.find('-') + 1) + 1;
  name.replace(start, name.find('-', start) - start, "1");
  const std::string before = made(name);
  remove_abandoned_folders(place_.path());
  EXPECT_FALSE(fs::exists(before));
  EXPECT_TRUE(fs::exists(running.folder));
  kill_and_wait(running);
}

TEST_F(TemporaryFolderTest, WhatIsNotCertainToBeAbandonedStays) {
  const std::string own = TemporaryFolder::make(place_.path()).value().path();
  const std::string name = fs::path(own).filename();
  const std::string place = name.substr(name.rfind('-', name.rfind('-') - 1) + 1, 8);
  const std::vector<std::string> kept = {
      made("ridge-4000000-1-00000000-abcdef"),  // of another host
      made("ridge-abcdef"),
      made("ridge-1-2-" + place),
      made("ridge--1-2-" + place + "-abcdef"),
      made("ridge-0-2-" + place + "-abcdef"),
      made("other-4000000-1-" + place + "-abcdef")};
  const std::string target = made("target"),
                    link = place_.path() + "/ridge-4000000-1-" + place + "-abcdef";
  fs::create_symlink(target, link);
  remove_abandoned_folders(place_.path());
  for (const std::string& path : kept) EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_TRUE(fs::exists(target));
  EXPECT_TRUE(fs::is_symlink(link));
  fs::remove(link);
  fs::create_directory(link);
  remove_abandoned_folders(place_.path());
  EXPECT_FALSE(fs::exists(link));
}

TEST_F(TemporaryFolderTest, ProcessesThatCleanAtTheSameTimeDoNotDisturbEachOther) {
  const std::string name = fs::path(TemporaryFolder::make(place_.path()).value().path()).filename();
  const std::string place = name.substr(name.rfind('-', name.rfind('-') - 1) + 1, 8);
  for (int i = 0; i < 200; ++i) {
    const std::string folder = made(fmt::format("ridge-{}-1-{}-abcdef", 4000000 + i, place));
    ASSERT_TRUE(write_file(folder + "/file", "content").ok());
  }
  std::vector<pid_t> cleaners;
  for (int i = 0; i < 4; ++i) {
    cleaners.push_back(::fork());
    if (cleaners.back() == 0) remove_abandoned_folders(place_.path()), _exit(0);
  }
  for (const pid_t cleaner : cleaners) {
    int status = 0;
    ASSERT_EQ(::waitpid(cleaner, &status, 0), cleaner);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(fs::is_empty(place_.path()));
}

TEST_F(TemporaryFolderTest, TheFolderIsThatOfTheEnvironment) {
  const char* before = ::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", place_.path().c_str(), 1);
  EXPECT_TRUE(TemporaryFolder::make().value().path().starts_with(place_.path() + "/ridge-"));
  ::setenv("TMPDIR", (place_.path() + "/none").c_str(), 1);
  EXPECT_EQ(TemporaryFolder::make().error().text(),
            "error: there is no folder for temporary files: No such file or "
            "directory\n"
            "  hint: TMPDIR names it; let it name a folder that you may write to: "
            "TMPDIR=/var/tmp\n"
            "  [RIDGE-IO-0008]\n");
  ::setenv("TMPDIR", "/proc", 1);  // where nobody may make a file
  EXPECT_EQ(new_temporary_file("kept", ".json").error().code(), "RIDGE-IO-0009");
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace ridge
