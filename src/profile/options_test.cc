// SPDX-License-Identifier: Apache-2.0
#include "profile/options.h"

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

using Options = std::map<std::string, std::string>;

TEST(Options, TheNumberOfThreadsStandsAmongThem) {
  const Options written = {{"optimization", "all"}, {"threads", "4"}};
  Subject subject;
  set_options(subject, written);
  EXPECT_EQ(subject.threads, 4);
  EXPECT_EQ(subject.options, (Options{{"optimization", "all"}}));
  EXPECT_EQ(all_options(subject), written);
}

TEST(Options, ATextThatIsNoNumberIsKept) {
  for (const char* text : {"", "many", "02", "99999999999", "-"}) {
    Subject subject;
    set_options(subject, {{"threads", text}});
    EXPECT_FALSE(subject.threads) << text;
    EXPECT_EQ(all_options(subject), (Options{{"threads", text}}));
  }
}

}  // namespace
}  // namespace ridge::profile
