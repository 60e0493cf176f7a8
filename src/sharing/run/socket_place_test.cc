// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/socket_place.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

using testing::PrivateFolder;

std::string taken(const std::string& folder) {
  const auto place = SocketPlace::take(folder);
  return place.ok() ? "taken" : place.error().text();
}

TEST(SocketPlace, TheFolderIsMadeForItsUserAlone) {
  const PrivateFolder above;
  const std::string folder = above.path() + "/ridge";
  EXPECT_EQ(taken(folder), "taken");
  struct stat status {};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
}

TEST(SocketPlace, AFolderThatOthersMayEnterIsRefused) {
  const PrivateFolder folder;
  ::chmod(folder.path().c_str(), 0750);
  EXPECT_EQ(taken(folder.path()),
            "error: " + folder.path() +
                ": the folder of the socket is not private\n  its mode is 0750\n"
                "  hint: let it be a folder of your own with mode 0700: chmod 700, or remove it\n"
                "  [RIDGE-SHARE-0002]\n");
}

TEST(SocketPlace, AFolderOfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to give a folder away";
  const PrivateFolder folder;
  ASSERT_EQ(::chown(folder.path().c_str(), 65534, 65534), 0);
  EXPECT_EQ(taken(folder.path()),
            "error: " + folder.path() +
                ": the folder of the socket is not private\n"
                "  it belongs to user 65534, this is user 0\n"
                "  hint: let it be a folder of your own with mode 0700: chmod 700, or remove it\n"
                "  [RIDGE-SHARE-0002]\n");
}

TEST(SocketPlace, ALinkOrAFileIsRefused) {
  const PrivateFolder above;
  ASSERT_EQ(::symlink(above.path().c_str(), (above.path() + "/link").c_str()), 0);
  EXPECT_NE(taken(above.path() + "/link").find("it is a file or a link"), std::string::npos);
  EXPECT_NE(taken(above.write("file", "")).find("it is a file or a link"), std::string::npos);
}

TEST(SocketPlace, WithoutAFolderAboveTheReasonIsNamed) {
  EXPECT_EQ(taken("/no/such/folder"),
            "error: /no/such/folder: there is no folder for the socket: No such file or directory\n"
            "  hint: XDG_RUNTIME_DIR names a folder of your own, in which it is made\n"
            "  [RIDGE-SHARE-0001]\n");
}

TEST(SocketPlace, ALongPathIsNamed) {
  const PrivateFolder above;
  const std::string folder = above.path() + "/" + std::string(100, 'x');
  EXPECT_EQ(taken(folder),
            fmt::format("error: {0}/share.socket: the path of the socket has {1} bytes, 107 at "
                        "most\n  hint: let XDG_RUNTIME_DIR name a folder with a shorter path\n"
                        "  [RIDGE-SHARE-0003]\n",
                        folder, folder.size() + 13));
}

TEST(SocketPlace, ASecondDaemonIsRefused) {
  const PrivateFolder folder;
  const auto first = SocketPlace::take(folder.path());
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(taken(folder.path()),
            fmt::format("error: {}: another daemon serves here\n  it is process {}\n"
                        "  hint: ridge share list asks it, ridge share stop ends it\n"
                        "  [RIDGE-SHARE-0004]\n",
                        folder.path(), ::getpid()));
}

TEST(SocketPlace, ASocketThatWasLeftIsReplaced) {
  const PrivateFolder folder;
  folder.write("share.socket", "not even a socket");
  folder.write("share.lock", "123456");
  EXPECT_EQ(connect_to(folder.path()).error().text(),
            fmt::format("error: no daemon of ridge share answers\n"
                        "  {}/share.socket: Connection refused\n"
                        "  hint: ridge share serve starts one\n  [RIDGE-SHARE-0006]\n",
                        folder.path()));
  const auto place = SocketPlace::take(folder.path());
  ASSERT_TRUE(place.ok());
  EXPECT_TRUE(connect_to(folder.path()).ok());
}

TEST(SocketPlace, TheSocketGoesWithTheDaemon) {
  const PrivateFolder folder;
  EXPECT_EQ(taken(folder.path()), "taken");
  EXPECT_EQ(connect_to(folder.path()).error().code(), "RIDGE-SHARE-0006");
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/share.socket"));
}

}  // namespace
}  // namespace ridge::sharing
