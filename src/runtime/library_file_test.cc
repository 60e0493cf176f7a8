// SPDX-License-Identifier: Apache-2.0
#include "runtime/library_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace ridge::runtime {
namespace {

namespace fs = std::filesystem;

TEST(LibraryFile, OnlyRegularFilesAndLinksToThemAreLeftToTheLoader) {
  std::string folder = (fs::temp_directory_path() / "ridge-library-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/file.so") << "x";
  ASSERT_EQ(::mkfifo((folder + "/pipe.so").c_str(), 0600), 0);
  fs::create_symlink("file.so", folder + "/link.so");
  fs::create_symlink("pipe.so", folder + "/link_to_pipe.so");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = folder + "/socket.so";
  ASSERT_LT(socket_path.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, socket_path.c_str(), socket_path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);

  EXPECT_EQ(not_a_library(folder + "/file.so"), "");
  EXPECT_EQ(not_a_library(folder + "/link.so"), "");
  EXPECT_EQ(not_a_library(folder + "/nothing.so"), "");
  EXPECT_EQ(not_a_library("libonnxruntime.so"), "");
  EXPECT_EQ(not_a_library(folder), folder + " is a folder, not a file");
  EXPECT_EQ(not_a_library(folder + "/pipe.so"), folder + "/pipe.so is a named pipe, not a file");
  EXPECT_EQ(not_a_library(folder + "/link_to_pipe.so"),
            folder + "/link_to_pipe.so is a named pipe, not a file");
  EXPECT_EQ(not_a_library(socket_path), socket_path + " is a socket, not a file");
  EXPECT_EQ(not_a_library("/dev/zero"), "/dev/zero is a device, not a file");

  ::close(socket);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ridge::runtime
