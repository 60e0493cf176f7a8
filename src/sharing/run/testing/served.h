// SPDX-License-Identifier: Apache-2.0
// A daemon in a thread of the test, in a folder of its own, and ways to talk to it byte by byte.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/client.h"
#include "sharing/run/daemon.h"
#include "sharing/run/line.h"
#include "sharing/run/socket_place.h"

namespace ridge::sharing::testing {

inline constexpr Nanos kTestPatience{15'000'000'000};

/// A private folder, deleted with its content.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string name = "/tmp/ridge-share-test-XXXXXX";  // short: it is the path of a socket
    path_ = ::mkdtemp(name.data());
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string write(const std::string& name, std::string_view content) const {
    std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

 private:
  std::string path_;
};

class ServedDaemon {
 public:
  ServedDaemon(DaemonOptions options, Loader& loader) {
    options.folder = folder_.path();
    auto opened = Daemon::open(options, loader);
    if (!opened.ok()) {
      ADD_FAILURE() << opened.error().text();
      return;
    }
    daemon_.emplace(std::move(*opened));
    // The thread is the daemon: its children end with it.
    thread_ = std::thread([this] {
      EXPECT_TRUE(daemon_->serve().ok());
      daemon_.reset();
      ended_ = true;
    });
  }
  ServedDaemon(const ServedDaemon&) = delete;
  ServedDaemon& operator=(const ServedDaemon&) = delete;
  ~ServedDaemon() {
    if (!ended_)
      if (auto client = Client::connect(folder()); client.ok())
        (void)client->order({.what = What::kStop});
    join();
  }

  void join() {
    if (thread_.joinable()) thread_.join();
  }
  const std::string& folder() const { return folder_.path(); }
  const PrivateFolder& files() const { return folder_; }
  Client client() const { return Client::connect(folder(), kTestPatience).value(); }
  /// A connection that has said nothing.
  Line line() const {
    return Line(connect_to(folder()).value(), {.most_payload = 1 << 20, .most_files = 8});
  }
  bool ended() const { return ended_; }

 private:
  PrivateFolder folder_;
  std::optional<Daemon> daemon_;
  std::thread thread_;
  std::atomic<bool> ended_ = false;
};

inline std::string error_text(const std::optional<Error>& error) {
  return error ? error->text() : "none";
}

/// The failure that comes next; "none" if something else does.
inline std::string next_failure(Line& line) {
  const auto frame = receive_frame(line, steady_clock().now() + kTestPatience);
  if (!frame || frame->kind != MessageKind::kFailure) return "none";
  const auto failure = record::from_binary<Failure>(frame->payload);
  return failure ? error_text(failure->error) : "none";
}

/// Whether the other side closes the connection.
inline bool is_ended(Line& line) {
  while (receive_frame(line, steady_clock().now() + kTestPatience)) continue;
  return line.state() == Line::State::kClosed;
}

}  // namespace ridge::sharing::testing
