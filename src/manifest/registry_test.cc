// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/temporary_folder.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

class RegistryTest : public ::testing::Test {
 protected:
  RegistryTest()
      : place_(TemporaryFolder::make(::testing::TempDir()).value()),
        folder_(place_.path() + "/registry"),
        registry_(folder_) {}

  std::string source(const std::string& name, std::string_view content) {
    std::string path = place_.path() + "/" + name;
    EXPECT_TRUE(write_file(path, content).ok());
    return path;
  }
  std::string add(const std::string& name, const std::string& version, std::string_view content,
                  EntryKind kind = EntryKind::kModel) {
    const auto added =
        registry_.add(kind, name, version, {{"net.onnx", source("source", content)}});
    return added.ok() ? added->digest() : added.error().text();
  }
  std::size_t content_files() const {
    std::size_t count = 0;
    if (!fs::exists(folder_ + "/content")) return 0;
    for (const auto& file : fs::recursive_directory_iterator(folder_ + "/content"))
      count += file.is_regular_file();
    return count;
  }
  std::string resolved(std::string_view reference) {
    const auto entry = registry_.resolve(EntryKind::kModel, *parse_reference(reference));
    return entry.ok() ? entry->version : entry.error().text();
  }

  TemporaryFolder place_;
  std::string folder_;
  Registry registry_;
};

TEST_F(RegistryTest, KeepsContentUnderItsHash) {
  add("digits", "1.0.0", "abc");
  const auto entry = registry_.find(EntryKind::kModel, "digits", "1.0.0");
  ASSERT_TRUE(entry.ok());
  ASSERT_EQ(entry->files.size(), 1U);
  EXPECT_EQ(entry->files[0].sha256, sha256_of("abc"));
  EXPECT_EQ(entry->files[0].bytes, 3);
  const auto path = registry_.content(entry->files[0]);
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(*read_file(*path, 100), "abc");
  EXPECT_TRUE(registry_.verify(*entry).ok());
}

TEST_F(RegistryTest, ResolvesToTheHighestAllowedVersion) {
  for (const std::string version : {"1.2.0", "1.10.0", "2.0.0-rc.1", "1.9.0"})
    add("digits", version, "abc");
  EXPECT_EQ(resolved("digits@>=1,<2"), "1.10.0");
  EXPECT_EQ(resolved("digits"), "1.10.0");
  EXPECT_EQ(resolved("digits@~1.9"), "1.9.0");
  EXPECT_EQ(resolved("digits@2.0.0-rc.1"), "2.0.0-rc.1");
  EXPECT_EQ(resolved("digits@>=3"),
            "error: no version of model 'digits' satisfies '>=3'\n"
            "  the registry has 2.0.0-rc.1, 1.10.0, 1.9.0, 1.2.0\n  [RIDGE-MAN-0032]\n");
  EXPECT_EQ(resolved("digit"),
            "error: the registry has no model 'digit'\n  hint: did you mean 'digits'?\n"
            "  [RIDGE-MAN-0063]\n");
}

TEST_F(RegistryTest, ANameAndVersionKeepsItsContent) {
  const std::string digest = add("digits", "1.0.0", "abc");
  EXPECT_EQ(add("digits", "1.0.0", "abc"), digest);
  const std::string refused = add("digits", "1.0.0", "abd");
  EXPECT_TRUE(
      refused.starts_with("error: digits@1.0.0 is in the registry with other content\n"
                          "  there sha256:" +
                          digest))
      << refused;
  EXPECT_NE(refused.find("[RIDGE-MAN-0062]"), std::string::npos);
  EXPECT_EQ(registry_.find(EntryKind::kModel, "digits", "1.0.0")->digest(), digest);
  EXPECT_FALSE(add("digits", "1.0.0", "xyz", EntryKind::kDataset).starts_with("error"));
}

TEST_F(RegistryTest, RemoveKeepsContentThatAnotherEntryNames) {
  add("a", "1.0.0", "shared");
  add("b", "1.0.0", "shared");
  add("c", "1.0.0", "own");
  EXPECT_EQ(content_files(), 2U);
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "a", "1.0.0").ok());
  EXPECT_EQ(content_files(), 2U);
  EXPECT_TRUE(registry_.verify(*registry_.find(EntryKind::kModel, "b", "1.0.0")).ok());
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "c", "1.0.0").ok());
  EXPECT_EQ(content_files(), 1U);
  EXPECT_EQ(registry_.list().entries.size(), 1U);
  EXPECT_EQ(registry_.remove(EntryKind::kModel, "c", "1.0.0").error().code(), "RIDGE-MAN-0063");
}

TEST_F(RegistryTest, WhatADeadProcessLeftIsIgnoredAndDeleted) {
  add("a", "1.0.0", "one");
  add("b", "1.0.0", "two");
  // Content without an entry, and files that were never renamed.
  fs::create_directories(folder_ + "/content/ab");
  std::ofstream(folder_ + "/content/ab/" + std::string(64, 'a')) << "orphan";
  std::ofstream(folder_ + "/entries/model/a/2.0.0.entry.tmp123") << "ridge.reg";
  EXPECT_EQ(registry_.list().entries.size(), 2U);
  EXPECT_EQ(content_files(), 3U);
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "b", "1.0.0").ok());
  EXPECT_EQ(content_files(), 1U);
}

TEST_F(RegistryTest, DamageIsReported) {
  add("a", "1.0.0", "one");
  const auto entry = registry_.find(EntryKind::kModel, "a", "1.0.0");
  const std::string path = *registry_.content(entry->files[0]);
  std::ofstream(path) << "two";
  EXPECT_EQ(registry_.verify(*entry).error().code(), "RIDGE-MAN-0071");
  std::ofstream(path) << "longer";
  EXPECT_EQ(registry_.verify(*entry).error().message(),
            "the content of 'net.onnx' has 6 bytes instead of 3");
  fs::remove(path);
  EXPECT_EQ(registry_.verify(*entry).error().message(), "the content of 'net.onnx' is missing");
  std::ofstream(folder_ + "/entries/model/a/1.0.0.entry") << "ridge.registry/1\nkind model\n";
  ASSERT_EQ(registry_.list().damaged.size(), 1U);
  EXPECT_EQ(registry_.list().damaged[0].code(), "RIDGE-MAN-0064");
}

TEST_F(RegistryTest, FoldersAreAddedByTheNamesOfTheirFiles) {
  fs::create_directories(place_.path() + "/data/b");
  source("data/b/2.txt", "2");
  source("data/1.txt", "1");
  fs::create_symlink("/etc/passwd", place_.path() + "/data/link");
  const auto sources = sources_below(place_.path() + "/data");
  ASSERT_TRUE(sources.ok());
  const auto entry = registry_.add(EntryKind::kDataset, "d", "1.0.0", *sources);
  ASSERT_TRUE(entry.ok());
  ASSERT_EQ(entry->files.size(), 2U);
  EXPECT_EQ(entry->files[0].name, "1.txt");
  EXPECT_EQ(entry->files[1].name, "b/2.txt");
}

TEST_F(RegistryTest, HostileNamesAreRefused) {
  EXPECT_EQ(registry_.add(EntryKind::kModel, "../a", "1.0.0", {}).error().code(), "RIDGE-MAN-0033");
  EXPECT_EQ(registry_.add(EntryKind::kModel, "a", "1/2", {}).error().code(), "RIDGE-MAN-0030");
  EXPECT_EQ(registry_.add(EntryKind::kModel, "a", "1", {{"../x", source("s", "")}}).error().code(),
            "RIDGE-MAN-0067");
  for (const std::string_view name : {"", "/a", "a/", "a//b", ".", "a/../b", "a\nb", "a\\b"})
    EXPECT_FALSE(is_file_name(name)) << name;
  for (const std::string_view line :
       {"file x 1 a", "kind x", "name ../a", "version x", "other 1", "file"})
    EXPECT_FALSE(
        parse_entry(fmt::format("ridge.registry/1\nkind model\nname a\nversion 1\n{}\n", line))
            .ok())
        << line;
}

TEST(RegistrySlow, ProcessesThatAddAndDieLeaveItIntact) {
  const auto place = TemporaryFolder::make(::testing::TempDir());
  ASSERT_TRUE(place.ok());
  const std::string folder = place->path() + "/registry";
  for (int k = 0; k < 4; ++k)
    ASSERT_TRUE(
        write_file(fmt::format("{}/{}", place->path(), k), std::string(300'000, "abcd"[k])).ok());
  const auto work = [&](int self) {
    Registry registry(folder);
    for (int i = 0;; ++i) {
      const std::string name = fmt::format("n{}", i % 5), version = fmt::format("{}.0.0", self);
      const std::string path = fmt::format("{}/{}", place->path(), i % 4);
      const auto added = registry.add(EntryKind::kModel, name, version, {{"f", path}});
      const auto removed = registry.remove(EntryKind::kModel, name, version);
      if (!removed.ok() && added.ok()) _exit(1);
    }
  };
  for (int round = 0; round < 10; ++round) {
    std::vector<pid_t> children;
    for (int self = 0; self < 3; ++self) {
      const pid_t child = fork();
      if (child == 0) work(self), _exit(0);
      children.push_back(child);
    }
    usleep(20'000 + 7'000 * static_cast<unsigned>(round));
    for (const pid_t child : children) kill(child, SIGKILL);
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status)) << "a process failed";
    }
    const Registry registry(folder);
    const RegistryListing all = registry.list();
    ASSERT_TRUE(all.damaged.empty()) << all.damaged[0].text();
    for (const RegistryEntry& entry : all.entries) {
      const auto intact = registry.verify(entry);
      EXPECT_TRUE(intact.ok()) << intact.error().text();
    }
  }
}

TEST_F(RegistryTest, FilesOfAnEntryLieUnderTheirNames) {
  const std::vector<RegistrySource> sources = {{"net.onnx", source("a", "net")},
                                               {"data/1.png", source("b", "one")}};
  const auto entry = registry_.add(EntryKind::kModel, "digits", "1.0.0", sources);
  ASSERT_TRUE(entry.ok());
  for (int time = 0; time < 2; ++time) {
    const auto folder = registry_.unpacked(*entry);
    ASSERT_TRUE(folder.ok()) << folder.error().text();
    EXPECT_EQ(*read_file(*folder + "/net.onnx", 9), "net");
    EXPECT_EQ(*read_file(*folder + "/data/1.png", 9), "one");
  }
  const std::string folder = *registry_.unpacked(*entry);
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "digits", "1.0.0").ok());
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(RegistryTest, ADamagedEntryKeepsNoOtherFromBeingUsed) {
  add("digits", "1.0.0", "abc");
  add("digits", "1.5.0", "def");
  add("words", "1.0.0", "ghi");
  ASSERT_TRUE(write_file(folder_ + "/entries/model/digits/1.5.0.entry", "junk").ok());
  fs::create_directory(folder_ + "/entries/model/words/2.0.0.entry");
  ASSERT_TRUE(write_file(folder_ + "/entries/model/file", "").ok());
  const RegistryListing all = registry_.list();
  ASSERT_EQ(all.entries.size(), 2U);
  EXPECT_EQ(all.entries[0].reference(), "digits@1.0.0");
  EXPECT_EQ(all.entries[1].reference(), "words@1.0.0");
  ASSERT_EQ(all.damaged.size(), 3U);
  EXPECT_EQ(all.damaged[0].file(), folder_ + "/entries/model/digits/1.5.0.entry");
  EXPECT_EQ(all.damaged[1].file(), folder_ + "/entries/model/file");
  EXPECT_EQ(all.damaged[2].file(), folder_ + "/entries/model/words/2.0.0.entry");
  EXPECT_EQ(resolved("digits@1.0.0"), "1.0.0");
  // An older version does not stand for the damaged one.
  EXPECT_TRUE(resolved("digits@^1").starts_with("error: ")) << resolved("digits@^1");
  // It can be removed, and content stays that it may have named, until no entry is damaged.
  EXPECT_EQ(content_files(), 3U);
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "digits", "1.5.0").ok());
  EXPECT_EQ(content_files(), 3U);
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "words", "2.0.0").ok());
  fs::remove(folder_ + "/entries/model/file");
  ASSERT_TRUE(registry_.remove(EntryKind::kModel, "words", "1.0.0").ok());
  EXPECT_EQ(content_files(), 1U);
  EXPECT_EQ(resolved("digits@^1"), "1.0.0");
}

TEST_F(RegistryTest, DamagedContentIsReplacedWhenItIsAddedAgain) {
  add("digits", "1.0.0", "abc");
  const auto entry = registry_.find(EntryKind::kModel, "digits", "1.0.0");
  const std::string path = registry_.content(entry->files[0]).value();
  fs::remove(path);
  ASSERT_TRUE(write_file(path, "xyz").ok());
  EXPECT_FALSE(registry_.verify(*entry).ok());
  add("digits", "1.0.0", "abc");
  EXPECT_TRUE(registry_.verify(*entry).ok());
}

TEST_F(RegistryTest, AnUnpackedFolderIsCheckedAndUnpackedAgain) {
  const std::vector<RegistrySource> sources = {{"net.onnx", source("a", "net")},
                                               {"data/1.png", source("b", "one")}};
  const auto entry = registry_.add(EntryKind::kModel, "digits", "1.0.0", sources);
  ASSERT_TRUE(entry.ok());
  const std::string folder = *registry_.unpacked(*entry);
  const auto intact = [&] {
    const auto again = registry_.unpacked(*entry);
    std::size_t files = 0;
    for (const auto& file : fs::recursive_directory_iterator(folder)) files += !file.is_directory();
    return again.ok() && *read_file(folder + "/net.onnx", 9) == "net" &&
           *read_file(folder + "/data/1.png", 9) == "one" && files == 2;
  };
  EXPECT_TRUE(intact());
  fs::remove(folder + "/data/1.png");  // half unpacked
  EXPECT_TRUE(intact());
  fs::remove(folder + "/net.onnx");  // another file of that name
  ASSERT_TRUE(write_file(folder + "/net.onnx", "bad").ok());
  EXPECT_TRUE(intact());
  ASSERT_TRUE(write_file(folder + "/data/2.png", "two").ok());  // one more, which data would have
  EXPECT_TRUE(intact());
  fs::remove(folder + "/data/1.png");  // a folder in place of a file
  fs::create_directory(folder + "/data/1.png");
  EXPECT_TRUE(intact());
  fs::remove_all(folder);
  EXPECT_TRUE(intact());
}

TEST_F(RegistryTest, AHeldLockIsWaitedForWithAWordAndALimit) {
  add("digits", "1.0.0", "abc");
  const FolderLock held = FolderLock::take(folder_).value();
  std::string said;
  Registry other(
      folder_, {.limit = Nanos{50'000'000}, .say = [&](const std::string& line) { said += line; }});
  const auto added = other.add(EntryKind::kModel, "b", "1", {{"f", source("s", "x")}});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(said, fmt::format("waits for {}/lock, which process {} holds", folder_, getpid()));
  EXPECT_EQ(added.error().text(),
            fmt::format("error: {}/lock: process {} holds the lock for longer than 50.00 ms\n"
                        "  hint: wait until it ends, or end it\n  [RIDGE-MAN-0110]\n",
                        folder_, getpid()));
  EXPECT_EQ(other.list().entries.size(), 1U);  // readers wait for nothing
}

TEST_F(RegistryTest, ReadingWritesNothing) {
  add("digits", "1.0.0", "abc");
  const auto entry = registry_.find(EntryKind::kModel, "digits", "1.0.0");
  fs::remove(folder_ + "/lock");  // which whatever writes makes again
  const Registry reader(folder_);
  EXPECT_EQ(reader.list().entries.size(), 1U);
  EXPECT_TRUE(reader.verify(*entry).ok());
  EXPECT_TRUE(reader.unpacked(*entry).ok());
  EXPECT_FALSE(fs::exists(folder_ + "/lock"));
  const Registry none(place_.path() + "/none");
  EXPECT_TRUE(none.list().entries.empty());
  EXPECT_FALSE(fs::exists(place_.path() + "/none"));
}

}  // namespace
}  // namespace ridge::manifest
