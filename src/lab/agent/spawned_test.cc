// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/spawned.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "base/number.h"

namespace ridge::lab {
namespace {

/// All that a program writes, and its status.
struct Ended {
  std::string output;
  int status = -1;
};

Ended finish(Spawned& child) {
  Ended out;
  pollfd on{child.output().get(), POLLIN, 0};
  while (::poll(&on, 1, 10'000) > 0)
    if (!read_available(child.output(), out.output, 1 << 20)) break;
  pollfd end{child.ending().get(), POLLIN, 0};
  ::poll(&end, 1, 10'000);
  out.status = child.ended().value_or(-1);
  return out;
}

bool runs(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name, state;
  return stat >> id >> name >> state && state != "Z";
}

TEST(Spawned, WritesAndEndsWithItsStatus) {
  Spawned child =
      Spawned::start({.command = {"sh", "-c", "echo out; echo err >&2; exit 7"}}).value();
  const Ended ended = finish(child);
  EXPECT_EQ(ended.output, "out\nerr\n");
  EXPECT_EQ(ended.status, 7);
}

TEST(Spawned, ReadsAPipe) {
  Spawned child = Spawned::start({.command = {"cat"}, .input = true}).value();
  ASSERT_EQ(::write(child.input().get(), "abc", 3), 3);
  child.close_input();
  EXPECT_EQ(finish(child).output, "abc");
}

TEST(Spawned, WhatIsNotThereIsNamed) {
  EXPECT_EQ(Spawned::start({.command = {"/no/such program"}}).error().text(),
            "error: cannot start /no/such program: No such file or directory\n"
            "  [RIDGE-LAB-0103]\n");
}

TEST(Spawned, EndsWithAllThatItStarted) {
  Spawned child =
      Spawned::start({.command = {"sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait"}}).value();
  pollfd on{child.output().get(), POLLIN, 0};
  std::string text;
  while (!text.ends_with('\n') && ::poll(&on, 1, 10'000) > 0)
    read_available(child.output(), text, 100);
  const pid_t first = child.id();
  const auto second = whole_number<pid_t>(text.substr(0, text.size() - 1));
  ASSERT_TRUE(second && runs(first) && runs(*second));
  child.end(Nanos{50'000'000});
  EXPECT_FALSE(child.running());
  EXPECT_FALSE(runs(first));
  for (int i = 0; i < 1000 && runs(*second); ++i) ::usleep(1000);
  EXPECT_FALSE(runs(*second));
}

TEST(Spawned, IsBoundToTheProcessThatStartedIt) {
  EXPECT_EQ(own_command({"agent"}),
            (std::vector<std::string>{"/proc/self/exe", "--bound-to", std::to_string(::getpid()),
                                      ".", "agent"}));
  EXPECT_FALSE(bind_to_parent("1x", "."));
  EXPECT_FALSE(bind_to_parent(std::to_string(::getppid()), "/no/such folder"));
  EXPECT_TRUE(bind_to_parent(std::to_string(::getppid()), "."));
}

}  // namespace
}  // namespace ridge::lab
