// SPDX-License-Identifier: Apache-2.0
// Sessions: leases of processes that are forked, with a loader whose templates hang, fail or end.
#include "sharing/run/holdings.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <functional>

#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

using testing::error_text;
using testing::kTestPatience;
using testing::ServedDaemon;

enum class Behavior : std::uint8_t { kForks, kFails, kHangs };

/// Done once somebody writes to its event.
template <typename T>
class EventWork final : public Work<T> {
 public:
  EventWork(std::function<Result<T>()> make, bool at_once)
      : event_(::eventfd(at_once ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK)), make_(std::move(make)) {}
  int descriptor() const override { return event_.get(); }
  std::optional<Result<T>> finish() override {
    std::uint64_t count = 0;
    if (::read(event_.get(), &count, sizeof count) != sizeof count) return std::nullopt;
    return make_();
  }

 private:
  ipc::Descriptor event_;
  std::function<Result<T>()> make_;
};

struct TemplateFacts {
  std::atomic<Behavior> behavior = Behavior::kForks;
  std::atomic<int> process = -1;  ///< event that says that the template has ended
  std::atomic<int> there = 0;
};

class FakeTemplate final : public Resident {
 public:
  explicit FakeTemplate(TemplateFacts& facts)
      : facts_(facts), ended_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    facts_.process = ended_.get();
    ++facts_.there;
  }
  ~FakeTemplate() override { --facts_.there; }
  Bytes bytes() const override { return Bytes{100}; }
  const std::string& about() const override { return about_; }
  int ended() const override { return ended_.get(); }
  Result<Given> give() override {
    const Behavior behavior = facts_.behavior;
    Given out;
    out.work = std::make_unique<EventWork<Files>>(
        [behavior]() -> Result<Files> {
          if (behavior == Behavior::kFails)
            return environment_error("RIDGE-TEST-0001", "fork is refused");
          Files files;
          for (int i = 0; i < 3; ++i) files.emplace_back(::eventfd(0, EFD_CLOEXEC));
          return files;
        },
        behavior != Behavior::kHangs);
    return out;
  }

 private:
  TemplateFacts& facts_;
  ipc::Descriptor ended_;
  std::string about_ = "a template";
};

class TemplateLoader final : public Loader {
 public:
  Result<Subject> identify(const Ask& ask) override {
    return Subject{.key = ask.model, .model = ask.model, .expected = Bytes{100}};
  }
  Result<std::unique_ptr<Work<std::unique_ptr<Resident>>>> load(const Ask& ask,
                                                                const Subject&) override {
    return std::unique_ptr<Work<std::unique_ptr<Resident>>>(
        std::make_unique<EventWork<std::unique_ptr<Resident>>>(
            [this]() -> Result<std::unique_ptr<Resident>> {
              return std::unique_ptr<Resident>(std::make_unique<FakeTemplate>(facts));
            },
            ask.model != "hangs"));
  }
  TemplateFacts facts;
};

Ask session_of(const std::string& model) {
  return {.what = What::kSession, .model = model, .wait = true};
}

DaemonOptions impatient() {
  return {.longest_load = Nanos{100'000'000}, .longest_fork = Nanos{100'000'000}};
}

TEST(ShareSessions, EachLeaseIsAForkedProcess) {
  TemplateLoader loader;
  const ServedDaemon daemon({}, loader);
  Client client = daemon.client();
  const Leased first = client.lease(session_of("m"), kTestPatience);
  const Leased second = client.lease(session_of("m"), kTestPatience);
  ASSERT_TRUE(first.lease && second.lease) << error_text(first.why);
  EXPECT_EQ(first.lease->files().size(), 3U);
  EXPECT_EQ(second.lease->grant().about, "a template");
  EXPECT_EQ(second.lease->grant().level, Level::kTemplates);
  EXPECT_EQ(client.list()->objects.at(0).leases, 2U);
  EXPECT_EQ(loader.facts.there, 1);
}

TEST(ShareSessions, AForkThatFailsIsTheFailureOfWhoAsked) {
  TemplateLoader loader;
  const ServedDaemon daemon({}, loader);
  Client client = daemon.client();
  loader.facts.behavior = Behavior::kFails;
  EXPECT_EQ(error_text(client.lease(session_of("m"), kTestPatience).why),
            "error: fork is refused\n  [RIDGE-TEST-0001]\n");
  loader.facts.behavior = Behavior::kForks;
  EXPECT_TRUE(client.lease(session_of("m"), kTestPatience).lease);
}

TEST(ShareSessions, ATemplateThatHangsServesNobodyAndIsFreed) {
  TemplateLoader loader;
  const ServedDaemon daemon(impatient(), loader);
  Client client = daemon.client();
  loader.facts.behavior = Behavior::kHangs;
  EXPECT_EQ(error_text(client.lease(session_of("m"), kTestPatience).why),
            "error: m: the model is not leased now\n"
            "  the process that has it loaded does not answer\n  [RIDGE-SHARE-0023]\n");
  const Nanos deadline = steady_clock().now() + kTestPatience;
  while (!client.list()->objects.empty() && steady_clock().now() < deadline) ::usleep(1000);
  EXPECT_EQ(loader.facts.there, 0);
  loader.facts.behavior = Behavior::kForks;
  EXPECT_TRUE(client.lease(session_of("m"), kTestPatience).lease);
}

TEST(ShareSessions, ATemplateThatEndsTakesItsLeasesAlong) {
  TemplateLoader loader;
  const ServedDaemon daemon({}, loader);
  Client client = daemon.client();
  const Leased leased = client.lease(session_of("m"), kTestPatience);
  ASSERT_TRUE(leased.lease);
  const std::uint64_t one = 1;
  ASSERT_EQ(::write(loader.facts.process, &one, sizeof one), ssize_t{sizeof one});
  const Nanos deadline = steady_clock().now() + kTestPatience;
  while (!client.list()->objects.empty() && steady_clock().now() < deadline) ::usleep(1000);
  EXPECT_TRUE(client.list()->objects.empty());
  EXPECT_TRUE(client.lease(session_of("m"), kTestPatience).lease);
}

TEST(ShareSessions, ALoadThatTakesTooLongFails) {
  TemplateLoader loader;
  const ServedDaemon daemon(impatient(), loader);
  Client client = daemon.client();
  EXPECT_EQ(error_text(client.lease(session_of("hangs"), kTestPatience).why),
            "error: hangs: the load took too long and was ended\n  100.0 ms at most\n"
            "  [RIDGE-SHARE-0056]\n");
  EXPECT_TRUE(client.list()->objects.empty());
}

TEST(ShareSessions, ABudgetPerLevel) {
  TemplateLoader loader;
  const ServedDaemon daemon({.memory = Bytes{10}, .templates = Bytes{100}}, loader);
  Client client = daemon.client();
  const Leased first = client.lease(session_of("m"), kTestPatience);
  ASSERT_TRUE(first.lease);
  EXPECT_EQ(error_text(client.lease(session_of("n"), kTestPatience).why),
            "error: n: the model is not leased now\n"
            "  there is no memory left: all else is leased, pinned or kept\n"
            "  [RIDGE-SHARE-0023]\n");
}

}  // namespace
}  // namespace ridge::sharing
