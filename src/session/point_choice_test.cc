// SPDX-License-Identifier: Apache-2.0
#include "session/point_choice.h"

#include <gtest/gtest.h>

#include "session/run_key.h"

namespace ridge::session {
namespace {

using Positions = std::vector<std::size_t>;

const std::vector<std::string> kKeys = {"a1", "", "b2", "a1", "c3"};

TEST(PointChoice, NoKeyChoosesAllAndAnyOrderThatOfTheRequest) {
  EXPECT_EQ(*select_points(kKeys, {}), (Positions{0, 1, 2, 3, 4}));
  EXPECT_EQ(*select_points(kKeys, std::vector<std::string>{"c3", "b2", "c3"}), (Positions{2, 4}));
}

TEST(PointChoice, EqualPointsAreChosenTogether) {
  EXPECT_EQ(*select_points(kKeys, std::vector<std::string>{"a1"}), (Positions{0, 3}));
}

TEST(PointChoice, AnUnknownKeyIsRefusedWithTheWayOut) {
  EXPECT_EQ(select_points(kKeys, std::vector<std::string>{"a1", "\x1b[1m"}).error().text(),
            "error: no point of the request has the key '\\x1b[1m'\n"
            "  it has 5 points\n"
            "  hint: --dry-run lists them with their keys\n  [RIDGE-WB-0393]\n");
}

TEST(PointChoice, APointThatCannotBeMeasuredHasNoKey) {
  EXPECT_EQ(select_points(kKeys, std::vector<std::string>{""}).error().code(), "RIDGE-WB-0393");
}

// The oracle is sha256sum: printf '%s' net | sha256sum.
TEST(PointChoice, AKeyIsTheBeginningOfAHash) {
  EXPECT_EQ(point_key(std::string_view("net")), "a08a0fcbdeafd3c1");
}

RunKey key_on(std::string host, std::string version, std::string pinned) {
  return {.graph = "g",
          .sizes = {{"batch", 4}},
          .inputs = {},
          .runtime = "ort",
          .version = std::move(version),
          .options = {{"threads", "2"}, {"pinned", std::move(pinned)}},
          .weights = WeightSource::kSeeded,
          .files = {},
          .host = std::move(host),
          .ridge = "1"};
}

TEST(PointChoice, TheMachineIsNoPartOfAKey) {
  const RunKey here = key_on("machine 1", "1.20", "0,1"),
               there = key_on("machine 2", "1.22", "4,6");
  EXPECT_NE(text_of(here), text_of(there));
  EXPECT_EQ(point_key(here), point_key(there));
  // One with too few processors does not pin.
  EXPECT_EQ(point_key(here), point_key(key_on("machine 3", "1.20", "no")));
}

TEST(PointChoice, WhatTheRequestStatesIsAPartOfAKey) {
  const RunKey one = key_on("machine 1", "1.20", "0,1");
  RunKey other = one;
  other.options["threads"] = "1";
  EXPECT_NE(point_key(one), point_key(other));
  other = one;
  other.sizes["batch"] = 8;
  EXPECT_NE(point_key(one), point_key(other));
  other = one;
  other.weights = WeightSource::kAsIs;
  EXPECT_NE(point_key(one), point_key(other));
}

}  // namespace
}  // namespace ridge::session
