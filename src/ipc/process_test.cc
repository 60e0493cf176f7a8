// SPDX-License-Identifier: Apache-2.0
// Real children: /bin/sh and friends.
#include "ipc/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "ipc/channel.h"

namespace ridge::ipc {
namespace {

Nanos in_ten_seconds() { return steady_clock().now() + Nanos{10'000'000'000}; }

Process shell(const std::string& script) {
  return Process::start_command({"/bin/sh", "-c", script}).value();
}

/// Describes the end of a shell with that script.
std::string end_of(const std::string& script) {
  Process process = shell(script);
  const std::optional<int> status = process.wait(in_ten_seconds());
  EXPECT_FALSE(process.running());
  return status ? describe_end(*status) : "still runs";
}

/// Waits until something holds; false after ten seconds.
bool eventually(const std::function<bool()>& holds) {
  for (const Nanos end = in_ten_seconds(); !holds(); ::usleep(500))
    if (steady_clock().now() > end) return false;
  return true;
}

/// True if the process has ended, also if nobody has waited for it.
bool ended(pid_t id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  return line.substr(line.rfind(')') + 2, 1) == "Z";
}

/// Descriptors of a process with what each refers to: "socket:[12]".
std::map<int, std::string> descriptors_of(pid_t id) {
  std::map<int, std::string> out;
  const std::string folder = "/proc/" + std::to_string(id) + "/fd/";
  DIR* entries = ::opendir(folder.c_str());
  while (const dirent* entry = entries == nullptr ? nullptr : ::readdir(entries)) {
    char link[256] = {};
    if (::readlink((folder + entry->d_name).c_str(), link, sizeof(link) - 1) > 0)
      out[std::atoi(entry->d_name)] = link;
  }
  if (entries != nullptr) ::closedir(entries);
  return out;
}

TEST(Process, SaysHowItEnded) {
  EXPECT_EQ(end_of("exit 0"), "exited with status 0");
  EXPECT_EQ(end_of("exit 3"), "exited with status 3");
  EXPECT_EQ(end_of("kill -9 $$"), "was ended by signal 9 (Killed)");
  EXPECT_EQ(end_of("kill -15 $$"), "was ended by signal 15 (Terminated)");
}

TEST(Process, KnowsItsStatusAfterTheEnd) {
  Process process = shell("exit 3");
  const std::optional<int> first = process.wait(in_ten_seconds());
  EXPECT_EQ(process.wait(in_ten_seconds()), first);
  Process moved = std::move(process);
  EXPECT_EQ(moved.wait(in_ten_seconds()), first);
}

TEST(Process, StillRunsAtTheDeadline) {
  Process process = shell("exec sleep 60");
  EXPECT_TRUE(process.running());
  EXPECT_FALSE(process.wait(steady_clock().now()));
  EXPECT_TRUE(process.cpu_time());
  EXPECT_GT(process.resident().value_or(Bytes{0}), Bytes{0});
  process.kill();
  EXPECT_EQ(describe_end(process.wait(in_ten_seconds()).value_or(0)),
            "was ended by signal 9 (Killed)");
  EXPECT_FALSE(process.cpu_time());
  EXPECT_FALSE(process.resident());
  EXPECT_FALSE(process.stopped());
}

TEST(Process, ADestroyedOneIsKilled) {
  pid_t id = 0;
  {
    const Process process = shell("exec sleep 60");
    id = process.id();
    EXPECT_EQ(::kill(id, 0), 0);
  }
  EXPECT_EQ(::kill(id, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Process, TellsAStoppedOneFromOneThatSleeps) {
  const Process process = shell("exec sleep 60");
  EXPECT_FALSE(process.stopped());
  ASSERT_EQ(::kill(process.id(), SIGSTOP), 0);
  EXPECT_TRUE(eventually([&] { return process.stopped(); }));
  ASSERT_EQ(::kill(process.id(), SIGCONT), 0);
  EXPECT_TRUE(eventually([&] { return !process.stopped(); }));
}

TEST(Process, LastWordsAreWholeLinesOfBothStreams) {
  Process quiet = shell(":");
  quiet.wait(in_ten_seconds());
  EXPECT_EQ(quiet.last_words(), "");
  Process brief = shell("echo out; echo err >&2; echo");
  brief.wait(in_ten_seconds());
  EXPECT_EQ(brief.last_words(), "out\nerr");
  Process chatty = shell("i=1000; while [ $i -lt 1300 ]; do echo $i; i=$((i+1)); done");
  chatty.wait(in_ten_seconds());
  const std::string words = chatty.last_words();
  EXPECT_EQ(words.size(), 199U * 5 - 1);  // 1000 bytes less the cut line and the last line end
  EXPECT_TRUE(words.starts_with("1101\n")) << words;
  EXPECT_TRUE(words.ends_with("\n1299"));
}

TEST(Process, ReadsNoInput) { EXPECT_EQ(end_of("read line"), "exited with status 1"); }

TEST(Process, AProgramThatIsNotThereCannotBeStarted) {
  const Result<Process> process = Process::start_command({"/nowhere/program"});
  ASSERT_FALSE(process.ok());
  EXPECT_EQ(process.error().text(),
            "error: cannot start the runtime's process: /nowhere/program: No such file or "
            "directory\n  [RIDGE-RT-0001]\n");
  EXPECT_EQ(Process::start("/nowhere/program", "x").error().code(), "RIDGE-RT-0001");
}

TEST(Process, ACommandStaysInTheGroupAndAChildLeadsItsOwn) {
  const Process command = shell("exec sleep 60");
  EXPECT_EQ(::getpgid(command.id()), ::getpgrp());
  const Process::Started child = Process::start("/bin/sleep", "60").value();
  EXPECT_EQ(::getpgid(child.process.id()), child.process.id());
}

TEST(Process, TheChildHasNoDescriptorsOfThisProcess) {
  const Descriptor other(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  std::set<int> expected = {0, 1, 2, kChannelDescriptor, kControlDescriptor}, numbers;
  for (const auto& [number, what] : descriptors_of(::getpid()))
    if (const int flags = ::fcntl(number, F_GETFD); flags >= 0 && (flags & FD_CLOEXEC) == 0)
      expected.insert(number);  // what started this process left it open
  const Process::Started child = Process::start("/bin/sleep", "60").value();
  const std::map<int, std::string> theirs = descriptors_of(child.process.id());
  for (const auto& [number, what] : theirs) numbers.insert(number);
  ASSERT_EQ(numbers, expected);
  EXPECT_EQ(theirs.at(0), "/dev/null");
  EXPECT_EQ(theirs.at(1), theirs.at(2));
  EXPECT_TRUE(theirs.at(1).starts_with("/memfd:ridge-output")) << theirs.at(1);
  // The child has its own ends of the sockets, not this process'.
  const std::map<int, std::string> ours = descriptors_of(::getpid());
  for (const int end : {child.channel.get(), child.control.get()})
    for (const int number : {kChannelDescriptor, kControlDescriptor})
      EXPECT_NE(theirs.at(number), ours.at(end));
}

TEST(Process, AMessageGoesThroughTheChildAndBack) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string script = folder.path() + "/echo.sh";
  std::ofstream(script) << "exec cat <&3 >&3\n";
  Process::Started child = Process::start("/bin/sh", script).value();
  Channel channel(std::move(child.channel));
  const std::string payload(100'000, 'x');
  ASSERT_TRUE(channel.send(9, payload).ok());
  const Received received = channel.receive(in_ten_seconds());
  ASSERT_EQ(received.outcome, Received::Outcome::kMessage);
  EXPECT_EQ(received.message.kind, 9U);
  EXPECT_EQ(received.message.payload, payload);
  child.process.kill();
  EXPECT_EQ(channel.receive(in_ten_seconds()).outcome, Received::Outcome::kClosed);
}

TEST(Process, TheChannelOfAChildThatEndsIsClosed) {
  Process::Started child = Process::start("/bin/true", "x").value();
  EXPECT_EQ(Channel(std::move(child.channel)).receive(in_ten_seconds()).outcome,
            Received::Outcome::kClosed);
  EXPECT_EQ(describe_end(child.process.wait(in_ten_seconds()).value_or(-1)),
            "exited with status 0");
}

TEST(Process, KillingAChildEndsWhatItStarted) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string script = folder.path() + "/two.sh";
  std::ofstream(script) << "sleep 60 &\necho $!\nwait\n";
  Process::Started child = Process::start("/bin/sh", script).value();
  ASSERT_TRUE(eventually([&] { return !child.process.last_words().empty(); }));
  const pid_t grandchild = std::stoi(child.process.last_words());
  EXPECT_FALSE(ended(grandchild));
  child.process.kill();
  EXPECT_TRUE(eventually([&] { return ended(grandchild); }));
}

TEST(Process, AChildStartsWithDefaultSignals) {
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGPIPE, &ignore, &before), 0);
  const Process::Started child = Process::start("/bin/sleep", "60").value();
  ASSERT_EQ(::sigaction(SIGPIPE, &before, nullptr), 0);
  std::ifstream status("/proc/" + std::to_string(child.process.id()) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigIgn:")) {
      EXPECT_EQ(std::stoull(line.substr(8), nullptr, 16) >> (SIGPIPE - 1) & 1, 0U) << line;
    }
}

/// A process that its parent, here the test, has not told about, with the parent's end of the socket.
struct Foreign {
  Process own = Process::start_command({"/bin/sleep", "600"}).value();
  ChildSockets sockets = ChildSockets::make().value();
  Process adopted;

  explicit Foreign(bool with_handle) {
    const long handle = with_handle ? ::syscall(SYS_pidfd_open, own.id(), 0) : -1;
    adopted = Process::adopt(own.id(), Descriptor(static_cast<int>(handle)),
                             std::move(sockets.control), std::move(sockets.output));
  }
  void tell(int status) const {
    ASSERT_EQ(::send(sockets.their_control.get(), &status, sizeof(status), 0),
              ssize_t{sizeof(status)});
  }
};

TEST(ForeignProcess, EndsAsItsParentTells) {
  for (const bool with_handle : {true, false}) {
    Foreign foreign(with_handle);
    EXPECT_FALSE(foreign.adopted.wait(Nanos{}).has_value());
    foreign.adopted.kill();
    const int status = foreign.own.wait(in_ten_seconds()).value();
    foreign.tell(status);
    EXPECT_EQ(foreign.adopted.wait(in_ten_seconds()), status);
    EXPECT_EQ(describe_end(status), "was ended by signal 9 (Killed)");
    EXPECT_FALSE(foreign.adopted.running());
  }
}

TEST(ForeignProcess, NobodyTellsWhoseParentIsGone) {
  for (const bool with_handle : {true, false}) {
    Foreign foreign(with_handle);
    foreign.own.kill();
    foreign.own.wait(in_ten_seconds());
    foreign.sockets.their_control.reset();
    EXPECT_EQ(foreign.adopted.wait(in_ten_seconds()), kUnknownEnd);
    EXPECT_EQ(describe_end(kUnknownEnd), "ended, and nobody told how");
  }
}

TEST(ForeignProcess, IsNotAwaitedForEverWhereItsParentSaysNothing) {
  Foreign foreign(true);
  foreign.own.kill();
  foreign.own.wait(in_ten_seconds());
  EXPECT_EQ(foreign.adopted.wait(in_ten_seconds()), kUnknownEnd);
}

}  // namespace
}  // namespace ridge::ipc
