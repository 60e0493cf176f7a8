// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/load_child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

using testing::PrivateFolder;

LoadFile as_it_is(const std::string& path) {
  const File file = File::open(path).value();
  return {path, version_of(file.descriptor(), path).value(), false};
}

TEST(LoadChild, ReadsAFileIntoSealedMemory) {
  const PrivateFolder folder;
  const std::string text(3'000'000, 'w');
  const auto sealed = read_sealed(as_it_is(folder.write("f", text)));
  ASSERT_TRUE(sealed.ok());
  EXPECT_EQ(sealed->facts.bytes, Bytes{3'000'000});
  EXPECT_EQ(sealed->facts.sha256, sha256_of(text));
  EXPECT_EQ(::fcntl(sealed->memory.get(), F_GET_SEALS),
            F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  EXPECT_EQ(::fcntl(sealed->memory.get(), F_GETFL) & O_ACCMODE, O_RDONLY);
}

TEST(LoadChild, AFileThatShrankOrGrewIsRefused) {
  const PrivateFolder folder;
  const std::string path = folder.write("f", "weights");
  const LoadFile before = as_it_is(path);
  for (const char* now : {"weight", "weights+", "Weights"}) {
    folder.write("f", now);
    EXPECT_EQ(read_sealed(before).error().text(),
              "error: " + path +
                  ": the file was changed while it was loaded\n"
                  "  hint: load it again once nothing writes it\n  [RIDGE-SHARE-0030]\n");
  }
}

TEST(LoadChild, AnEmptyFileIsSealedToo) {
  const PrivateFolder folder;
  const auto sealed = read_sealed(as_it_is(folder.write("f", "")));
  ASSERT_TRUE(sealed.ok());
  EXPECT_EQ(sealed->facts.bytes, Bytes{0});
}

}  // namespace
}  // namespace ridge::sharing
