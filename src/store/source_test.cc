// SPDX-License-Identifier: Apache-2.0
#include "store/source.h"

#include <gtest/gtest.h>

namespace ridge::store {
namespace {

/// "database|run", or "none".
std::string named(const std::string& source) {
  const auto run = named_run(source);
  return run ? run->database + "|" + run->run : "none";
}

TEST(Source, TheRunStandsBehindTheServersHostsAndPorts) {
  EXPECT_EQ(named("postgresql://?service=lab"), "postgresql://?service=lab|");
  EXPECT_EQ(named("postgresql://?service=lab:7"), "postgresql://?service=lab|7");
  EXPECT_EQ(named("postgresql://h:5432"), "postgresql://h:5432|");
  EXPECT_EQ(named("postgresql://h:5432/runs"), "postgresql://h:5432/runs|");
  EXPECT_EQ(named("postgres://me@h:5432,g:5433/runs:last"),
            "postgres://me@h:5432,g:5433/runs|last");
  EXPECT_EQ(named("postgresql://[::1]/runs"), "postgresql://[::1]/runs|");
  EXPECT_EQ(named("postgresql://"), "postgresql://|");
  EXPECT_EQ(named("mysql://h/runs:7"), "none");
  EXPECT_EQ(named("no such file:7"), "none");
}

}  // namespace
}  // namespace ridge::store
