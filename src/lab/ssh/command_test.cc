// SPDX-License-Identifier: Apache-2.0
#include "lab/ssh/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace ridge::lab {
namespace {

TEST(SshCommand, AsksNothingAndTrustsNoUnknownKey) {
  EXPECT_EQ(
      fmt::format("{}", fmt::join(agent_command({"b2", "u@b2", 2222, "/k/id", "/k/known"}), " ")),
      "ssh -T -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=10 -o "
      "ServerAliveInterval=5 -o ServerAliveCountMax=3 -p 2222 -o IdentitiesOnly=yes -i /k/id "
      "-o UserKnownHostsFile=/k/known -- u@b2 ridge agent");
}

TEST(SshCommand, WithoutADestinationRunsThisProgram) {
  EXPECT_EQ(agent_command({"here", "", {}, "", ""}).back(), "agent");
  EXPECT_EQ(agent_command({"here", "", {}, "", ""}).front(), "/proc/self/exe");
}

TEST(SshCommand, WhatFailedIsNamed) {
  const SshHost b2{"b2", "u@b2", 22, "", ""};
  EXPECT_EQ(not_answered(b2, 127, "sh: 1: ridge: not found\n").text(),
            "error: b2 has no ridge\n"
            "  sh: 1: ridge: not found\n"
            "  hint: install it there; ssh -p 22 u@b2 'ridge --version' must find it\n"
            "  [RIDGE-LAB-0120]\n");
  EXPECT_EQ(not_answered(b2, 255, "Host key verification failed.\r\n").code(), "RIDGE-LAB-0121");
  EXPECT_EQ(not_answered(b2, 255, "Connection refused\r\n").code(), "RIDGE-LAB-0122");
  EXPECT_EQ(not_answered(b2, 137, "").code(), "RIDGE-LAB-0123");
  EXPECT_EQ(not_answered({"here", "", {}, "", ""}, 255, "").code(), "RIDGE-LAB-0123");
}

}  // namespace
}  // namespace ridge::lab
