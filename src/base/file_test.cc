// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

namespace ridge {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = (fs::temp_directory_path() / "ridge-file-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string make(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }

  fs::path folder_;
};

TEST_F(FileTest, ReadsByPosition) {
  const File file = File::open(make("a", "0123456789")).value();
  EXPECT_EQ(file.size(), 10);
  std::array<char, 4> part{};
  ASSERT_TRUE(file.read_at(3, std::as_writable_bytes(std::span(part))).ok());
  EXPECT_EQ(std::string_view(part.data(), part.size()), "3456");
}

TEST_F(FileTest, MissingIsAnEnvironmentErrorWithTheReason) {
  const auto result = File::open(path("none"));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().error_class(), ErrorClass::kEnvironment);
  EXPECT_EQ(result.error().text(), "error: " + path("none") +
                                       ": cannot open it: No such file or directory\n"
                                       "  hint: check the spelling of the path\n"
                                       "  [RIDGE-IO-0001]\n");
}

TEST_F(FileTest, RefusesWhatIsNoFile) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path("socket").c_str(), sizeof(address.sun_path) - 1);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);

  const std::array<std::pair<std::string, std::string>, 4> cases = {{
      {folder_.string(), "is a folder, not a file"},
      {path("pipe"), "is a pipe, not a file"},  // no writer: opening it must not block
      {path("socket"), "is a socket, not a file"},
      {"/dev/null", "is a device, not a file"},
  }};
  for (const auto& [name, message] : cases) {
    const auto result = File::open(name);
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(result.error().message(), message);
    EXPECT_EQ(result.error().error_class(), ErrorClass::kInput);
    EXPECT_EQ(result.error().code(), "RIDGE-IO-0002");
  }
  ::close(listener);
}

TEST_F(FileTest, RefusesAPathWithAZeroByte) {
  const auto result = File::open(std::string("a\0b", 3));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().text(),
            "error: a\\x00b: the path contains a zero byte\n  [RIDGE-IO-0003]\n");
}

TEST_F(FileTest, FileThatBecameShorterIsAnErrorNotASignal) {
  const std::string name = make("shrinking", "0123456789");
  const File file = File::open(name).value();
  fs::resize_file(name, 4);
  std::array<std::byte, 8> part{};
  const auto result = file.read_at(2, part);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().text(),
            "error: " + name +
                ": the file ends at byte 4, 8 bytes at byte 2 are needed\n"
                "  hint: the file is truncated or became shorter while it was read\n"
                "  [RIDGE-IO-0004]\n");
}

TEST_F(FileTest, ThreadsReadOneFileIndependently) {
  const File file = File::open(make("shared", "ABCDEFGH")).value();
  std::array<char, 8> seen{};
  {
    std::vector<std::jthread> readers;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      readers.emplace_back([&, i] {
        const auto out = std::as_writable_bytes(std::span(seen).subspan(i, 1));
        for (int round = 0; round < 200; ++round) {
          if (!file.read_at(static_cast<std::int64_t>(i), out).ok()) seen[i] = '?';
        }
      });
    }
  }
  EXPECT_EQ(std::string_view(seen.data(), seen.size()), "ABCDEFGH");
}

TEST_F(FileTest, ReadFileRefusesMoreThanItsLimit) {
  const std::string name = make("big", "12345");
  EXPECT_EQ(read_file(name, 5).value(), "12345");
  const auto result = read_file(name, 4);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message(), "has 5 bytes, the limit is 4");
}

TEST_F(FileTest, WriteReplacesTheWholeContentAndLeavesNothingBeside) {
  const std::string name = make("out", "a longer old content");
  ASSERT_TRUE(write_file(name, "new").ok());
  EXPECT_EQ(read_file(name, 100).value(), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, ReaderOfTheOldContentKeepsIt) {
  const std::string name = make("out", "old content");
  const File before = File::open(name).value();
  ASSERT_TRUE(write_file(name, "new").ok());
  std::array<char, 11> part{};
  ASSERT_TRUE(before.read_at(0, std::as_writable_bytes(std::span(part))).ok());
  EXPECT_EQ(std::string_view(part.data(), part.size()), "old content");
}

TEST_F(FileTest, WriteKeepsModeAndSymbolicLink) {
  const std::string name = make("target", "old");
  ASSERT_EQ(::chmod(name.c_str(), 0640), 0);
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file(path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(name, 100).value(), "new");
  EXPECT_EQ(static_cast<unsigned>(fs::status(name).permissions()), 0640u);
}

TEST_F(FileTest, WriteToAFolderOrBelowAMissingOneSaysWhy) {
  const auto onto_folder = write_file(folder_.string(), "x");
  ASSERT_FALSE(onto_folder.ok());
  EXPECT_EQ(onto_folder.error().message(), "cannot write it: Is a directory");
  const auto below_missing = write_file(path("no/such/file"), "x");
  ASSERT_FALSE(below_missing.ok());
  EXPECT_EQ(below_missing.error().message(), "cannot write it: No such file or directory");
  EXPECT_EQ(below_missing.error().error_class(), ErrorClass::kEnvironment);
}

TEST_F(FileTest, WriteToAPipeDeliversTheBytes) {
  const std::string name = path("pipe");
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  std::string received;
  {
    const std::jthread reader([&] { std::getline(std::ifstream(name), received); });
    ASSERT_TRUE(write_file(name, "through the pipe\n").ok());
  }
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(name));
}

TEST_F(FileTest, BeforeTheBeginningThereIsNothing) {
  const File file = File::open(make("content", "content")).value();
  std::array<char, 2> part{};
  const auto read = file.read_at(-1, std::as_writable_bytes(std::span(part)));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message(), "a negative offset");
}

/// Standard input is a file with this content while it exists.
class GivenInput {
 public:
  explicit GivenInput(const std::string& name) : before_(::dup(STDIN_FILENO)) {
    const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  GivenInput(const GivenInput&) = delete;
  GivenInput& operator=(const GivenInput&) = delete;
  ~GivenInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

TEST_F(FileTest, StandardInputIsReadToItsEnd) {
  const std::string content = std::string(200'000, 'a') + "end";
  {
    const GivenInput input(make("long", content));
    EXPECT_EQ(read_standard_input(200'003).value(), content);
  }
  const GivenInput input(make("long", content));
  EXPECT_FALSE(read_standard_input(200'002).ok());
}

}  // namespace
}  // namespace ridge
