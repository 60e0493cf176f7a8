// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace ridge {
namespace {

class ManualClock final : public Clock {
 public:
  Nanos now() const override { return {ns.load()}; }
  std::atomic<std::int64_t> ns = 0;
};

struct Terminal final : Sink {
  void write(std::string_view text) override { writes.emplace_back(text); }
  ManualClock clock;
  std::vector<std::string> writes;
  Progress progress{*this, clock, 20};
};

TEST(Progress, DrawsAtMostTenTimesASecond) {
  Terminal terminal;
  for (int ms = 0; ms < 1000; ++ms) {
    terminal.clock.ns = ms * 1'000'000;
    terminal.progress.show("run", ms, 1000);
  }
  ASSERT_EQ(terminal.writes.size(), 10u);
  EXPECT_EQ(terminal.writes[0], "\r\x1b[Krun: 0 of 1000");
  EXPECT_EQ(terminal.writes[1], "\r\x1b[Krun: 100 of 1000");
}

TEST(Progress, IsGoneAfterHideAndDrawsAtOnceAgain) {
  Terminal terminal;
  terminal.progress.show("one");
  terminal.progress.hide();
  terminal.progress.hide();
  terminal.progress.show("two");
  EXPECT_EQ(terminal.writes, (std::vector<std::string>{"\r\x1b[Kone", "\r\x1b[K", "\r\x1b[Ktwo"}));
}

TEST(Progress, IsGoneAfterItsEnd) {
  StringSink sink;
  {
    Progress progress(sink, steady_clock());
    progress.show("measuring");
  }
  EXPECT_EQ(sink.text(), "\r\x1b[Kmeasuring\r\x1b[K");
}

TEST(Progress, CutsAndEscapesHostileText) {
  Terminal terminal;
  terminal.progress.show("\x1b[2J a name longer than twenty columns");
  ASSERT_EQ(terminal.writes.size(), 1u);
  EXPECT_EQ(terminal.writes[0], "\r\x1b[K\\x1b[2J a name long\u2026");
}

TEST(Progress, SilentOneTakesEveryCall) {
  Progress progress;
  progress.show("nothing", 1, 2);
  progress.hide();
}

TEST(Progress, ThreadsShareOneLine) {
  Terminal terminal;
  {
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < 4; ++worker) {
      workers.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) terminal.progress.show("work", i, 1000);
      });
    }
  }
  // The clock does not advance: only one of 4000 calls drew.
  EXPECT_EQ(terminal.writes.size(), 1u);
}

}  // namespace
}  // namespace ridge
