// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/archive.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "base/temporary_folder.h"

namespace ridge::lab {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class ArchiveTest : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }

  /// "run.json", an empty entry and one from a file of more than a block.
  std::string sealed(const std::string& name = "r.ridge") const {
    write(file("model"), std::string(1300, 'm'));
    auto out = std::move(ArchiveWriter::create(file(name)).value());
    EXPECT_TRUE(out.add("run.json", "{\"a\":1}\n").ok());
    EXPECT_TRUE(out.add("files/empty", "").ok());
    EXPECT_TRUE(out.add_file("files/0-model.onnx", File::open(file("model")).value()).ok());
    EXPECT_TRUE(out.commit().ok());
    return file(name);
  }

  int run(const std::string& command) const {
    return std::system(("cd '" + folder_.path() + "' && " + command + " >out 2>&1").c_str());
  }

  TemporaryFolder folder_ = std::move(TemporaryFolder::make().value());
};

/// Message of opening and checking; "" where both succeed.
std::string fault_of(const std::string& path) {
  const auto archive = Archive::open(path);
  if (!archive.ok()) return archive.error().summary();
  const auto checked = archive->check();
  return checked.ok() ? "" : checked.error().summary();
}

TEST_F(ArchiveTest, GivesBackItsEntries) {
  const auto archive = Archive::open(sealed());
  ASSERT_TRUE(archive.ok()) << archive.error().text();
  EXPECT_TRUE(archive->check().ok());
  EXPECT_EQ(archive->entries().size(), 3U);
  EXPECT_EQ(archive->read("run.json", 100).value(), "{\"a\":1}\n");
  EXPECT_EQ(archive->read("files/empty", 0).value(), "");
  ASSERT_TRUE(archive->extract("files/0-model.onnx", file("copy")).ok());
  EXPECT_EQ(bytes_of(file("copy")), std::string(1300, 'm'));
  EXPECT_EQ(archive->read("run.json", 3).error().code(), "RIDGE-LAB-0004");
  EXPECT_EQ(archive->read("seal", 1000).error().code(), "RIDGE-LAB-0004");
}

TEST_F(ArchiveTest, OfTheSameEntriesIsTheSame) {
  EXPECT_EQ(bytes_of(sealed("a.ridge")), bytes_of(sealed("b.ridge")));
}

TEST_F(ArchiveTest, IsReadByTarAndSha256sum) {
  sealed();
  ASSERT_EQ(run("mkdir x && tar xf r.ridge -C x && cd x && sha256sum --strict -c seal"), 0)
      << bytes_of(file("out"));
  EXPECT_EQ(bytes_of(file("x/files/0-model.onnx")), std::string(1300, 'm'));
}

TEST_F(ArchiveTest, AChangeOfAnyByteIsFound) {
  const std::string path = sealed();
  const std::string whole = bytes_of(path);
  std::fstream changing(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) {
    changing.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
  };
  std::mt19937 random(1);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    put(at, static_cast<char>(whole[at] ^ static_cast<char>(1 + random() % 255)));
    EXPECT_NE(fault_of(path), "") << at;
    put(at, whole[at]);
  }
  EXPECT_EQ(fault_of(path), "");
}

TEST_F(ArchiveTest, SaysWhereItWasChanged) {
  const std::string path = sealed();
  std::string bytes = bytes_of(path);
  bytes[bytes.find("mmmm") + 700] = 'n';
  write(path, bytes);
  const auto checked = Archive::open(path)->check();
  ASSERT_FALSE(checked.ok());
  EXPECT_TRUE(
      checked.error().evidence().starts_with("files/0-model.onnx: its content has SHA-256 "))
      << checked.error().evidence();
  EXPECT_TRUE(checked.error().evidence().ends_with(", at byte 2048")) << checked.error().evidence();
}

TEST_F(ArchiveTest, CutShortOrTooLongIsRefused) {
  const std::string whole = bytes_of(sealed());
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    write(file("cut"), whole.substr(0, size));
    EXPECT_NE(fault_of(file("cut")), "") << size;
  }
  for (const std::size_t more : {1U, 512U, 10240U}) {
    write(file("long"), whole + std::string(more, '\0'));
    EXPECT_NE(fault_of(file("long")), "") << more;
  }
}

TEST_F(ArchiveTest, OfTarItselfIsOfAnotherForm) {
  ASSERT_EQ(run("echo x >run.json && tar cf other.tar run.json"), 0);
  EXPECT_EQ(Archive::open(file("other.tar")).error().code(), "RIDGE-LAB-0002");
  ASSERT_EQ(run("ln -s /etc/passwd link && tar --format=ustar -cf link.tar link"), 0);
  EXPECT_EQ(Archive::open(file("link.tar")).error().code(), "RIDGE-LAB-0002");
  ASSERT_EQ(run("tar --format=ustar -P -cf up.tar ../../etc/hostname /etc/hostname"), 0);
  EXPECT_EQ(Archive::open(file("up.tar")).error().code(), "RIDGE-LAB-0002");
  write(file("text"), std::string(4000, 'x'));
  EXPECT_EQ(Archive::open(file("text")).error().code(), "RIDGE-LAB-0001");
}

TEST_F(ArchiveTest, ASizeThatTheFileHasNotIsRefusedBeforeItIsAllocated) {
  std::string bytes = bytes_of(sealed());
  bytes.replace(124, 12, std::string("\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12));
  write(file("huge"), bytes);
  EXPECT_EQ(Archive::open(file("huge")).error().code(), "RIDGE-LAB-0002");
}

TEST_F(ArchiveTest, NamesThatNoEntryMayHaveAreDefects) {
  auto out = std::move(ArchiveWriter::create(file("r.ridge")).value());
  for (const std::string name : {"", "/a", "a/../b", "..", "a//b", "a b", "\xc3\xa9", "a/"})
    EXPECT_FALSE(out.add(name, "").ok()) << name;
  EXPECT_FALSE(out.add(std::string(101, 'a'), "").ok());
}

}  // namespace
}  // namespace ridge::lab
