// SPDX-License-Identifier: Apache-2.0
// Clients that are broken, hostile, of another user or of another version; nobody else notices.
#include "sharing/run/connections.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/version.h"
#include "sharing/run/file_loader.h"
#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

using testing::is_ended;
using testing::next_failure;
using testing::ServedDaemon;

constexpr std::string_view kNoMessage =
    "error: what came over the socket is no message\n"
    "  hint: let only ridge and its library connect\n  [RIDGE-SHARE-0040]\n";

std::string hello(std::uint32_t protocol) { return record::to_binary(Hello{protocol, "9.9.9"}); }

class ShareConnections : public ::testing::Test {
 protected:
  /// Bytes as they are.
  static void push(Line& line, std::string_view bytes) {
    ASSERT_EQ(::send(line.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              std::ssize(bytes));
  }
  void expect_others_are_served() const { EXPECT_EQ(daemon_.client().list()->clients, 1U); }

  FileLoader loader_{"/proc/self/exe"};
  ServedDaemon daemon_{{}, loader_};
};

TEST_F(ShareConnections, GarbageIsNamedAndEndsTheConnectionAlone) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    Line line = daemon_.line();
    std::string bytes(12 + random() % 100, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    push(line, bytes);
    EXPECT_EQ(next_failure(line), kNoMessage);
    EXPECT_TRUE(is_ended(line));
  }
  expect_others_are_served();
}

TEST_F(ShareConnections, AMessageBeforeTheGreetingIsNone) {
  Line line = daemon_.line();
  line.send(MessageKind::kAsk, record::to_binary(Ask{.id = 1}));
  EXPECT_EQ(next_failure(line), kNoMessage);
}

TEST_F(ShareConnections, AFrameThatIsTooLongIsRefusedBeforeItComes) {
  Line line = daemon_.line();
  line.send(MessageKind::kHello, std::string(70'000, 'x'));
  EXPECT_EQ(next_failure(line), kNoMessage);
}

TEST_F(ShareConnections, FilesThatComeAreClosed) {
  Line line = daemon_.line();
  std::vector<ipc::Descriptor> files;
  files.emplace_back(::dup(STDIN_FILENO));
  line.send(MessageKind::kHello, hello(kProtocol), std::move(files));
  EXPECT_EQ(next_failure(line), kNoMessage);
}

TEST_F(ShareConnections, AnOlderAndANewerProgramAreNamed) {
  Line newer = daemon_.line();
  newer.send(MessageKind::kHello, hello(kProtocol + 1) + "further members");
  EXPECT_EQ(next_failure(newer),
            fmt::format("error: the daemon is older than this program\n"
                        "  protocol 1 of ridge {} there, protocol 2 of ridge 9.9.9 here\n"
                        "  hint: end the daemon, process {}, and a new one is started\n"
                        "  [RIDGE-SHARE-0041]\n",
                        version(), ::getpid()));
  Line older = daemon_.line();
  older.send(MessageKind::kHello, hello(0));
  EXPECT_TRUE(next_failure(older).starts_with("error: the daemon is newer than this program\n"));
}

TEST_F(ShareConnections, AHalfMessageDelaysNobodyAndIsGivenUp) {
  Line silent = daemon_.line(), half = daemon_.line();
  half.send(MessageKind::kHello, hello(kProtocol));
  wait_for(half, steady_clock().now() + testing::kTestPatience);
  push(half, "rshr");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(daemon_.client().list()->clients, 3U);
  EXPECT_TRUE(is_ended(silent));
  EXPECT_TRUE(is_ended(half));
  expect_others_are_served();
}

TEST_F(ShareConnections, OneWhoDoesNotReadIsDropped) {
  Line line = daemon_.line();
  line.send(MessageKind::kHello, hello(kProtocol));
  const std::string ask = record::to_binary(Ask{.id = 1, .what = What::kList});
  // Answers are longer than questions: the socket fills, and then the queue.
  for (int i = 0; i < 200'000; ++i) {
    line.send(MessageKind::kAsk, ask);
    line.write();
    while (line.has_queued()) {  // none is left once it has been dropped
      pollfd on{line.descriptor(), POLLOUT, 0};
      ::poll(&on, 1, 1000);
      line.write();
    }
  }
  EXPECT_TRUE(is_ended(line));
  expect_others_are_served();
}

TEST_F(ShareConnections, TheLeaseOfAProcessThatEndsIsOverThoughItsSocketIsHeld) {
  const std::string file = daemon_.files().write("model", "weights");
  Client pinning = daemon_.client();
  ASSERT_TRUE(
      pinning.order({.what = What::kPin, .model = file, .wait = true}, testing::kTestPatience)
          .ok());
  // The child connects, so that it is the peer, and hands the socket to this process by a pair.
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    Line line = daemon_.line();
    Line to_parent{ipc::Descriptor(ends[1]), {}};
    line.send(MessageKind::kHello, hello(kProtocol));
    line.send(MessageKind::kAsk,
              record::to_binary(Ask{.id = 1, .what = What::kWeights, .model = file}));
    for (int i = 0; i < 2; ++i)
      (void)receive_frame(line, steady_clock().now() + testing::kTestPatience);
    std::vector<ipc::Descriptor> files;
    files.emplace_back(::dup(line.descriptor()));
    to_parent.send(1, "", std::move(files));
    to_parent.write();
    char end = 0;
    (void)!::read(ends[1], &end, 1);
    ::_exit(0);
  }
  Line from_child(ipc::Descriptor(ends[0]), {.most_files = 1});
  const auto held = receive_frame(from_child, steady_clock().now() + testing::kTestPatience);
  ASSERT_TRUE(held && held->files.size() == 1);
  const auto leases = [&] { return pinning.list()->objects.at(0).leases; };
  EXPECT_EQ(leases(), 1U);
  push(from_child, "x");
  ::waitpid(child, nullptr, 0);
  const Nanos deadline = steady_clock().now() + testing::kTestPatience;
  while (leases() > 0 && steady_clock().now() < deadline) ::usleep(1000);
  EXPECT_EQ(leases(), 0U);
}

TEST_F(ShareConnections, AnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become another user";
  // As if somebody had opened the folder: the kernel no longer keeps others out.
  ::chmod(daemon_.folder().c_str(), 0755);
  ::chmod((daemon_.folder() + "/share.socket").c_str(), 0777);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  constexpr uid_t kNobody = 65534;
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text = "no change of user";
    if (::setresuid(kNobody, kNobody, kNobody) == 0) {
      // What a client of ours finds, and what one that does not look is told.
      text = connect_to(daemon_.folder()).error().text();
      sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
      (daemon_.folder() + "/share.socket").copy(address.sun_path, sizeof address.sun_path - 1);
      ipc::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
      if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
          0) {
        Line line(std::move(socket), {});
        text += next_failure(line);
      }
    }
    (void)!::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text(2000, '\0');
  text.resize(
      static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], text.data(), text.size()), 0)));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(text,
            "error: another user is at the other end of the socket\n"
            "  user 0, this is user 65534\n"
            "  hint: each user has a daemon of their own\n  [RIDGE-SHARE-0007]\n"
            "error: another user is at the other end of the socket\n"
            "  user 65534, this is user 0\n"
            "  hint: each user has a daemon of their own\n  [RIDGE-SHARE-0007]\n");
  expect_others_are_served();
}

}  // namespace
}  // namespace ridge::sharing
