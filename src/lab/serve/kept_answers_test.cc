// SPDX-License-Identifier: Apache-2.0
// Answers are given again while the store has not changed, and not once longer. Oracle: the store,
// asked itself.
#include "lab/serve/kept_answers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "lab/serve/routes.h"
#include "store/both_testing.h"

namespace ridge::lab::serve {
namespace {

using store::Access;
using store::DatabaseKind;
using store::Store;

profile::Profile run_of(std::int64_t number) {
  profile::Profile p;
  p.subject.path = "zoo:resnet50";
  p.load_ns = number;
  return p;
}

class KeptAnswersOnBoth : public store::OnBoth {
 protected:
  Store opened(const std::string& name) {
    return std::move(Store::open(database(name), Access::kCreate).value());
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, KeptAnswersOnBoth, store::kKinds, store::kind_name);

/// Answer of the server to GET of a target.
Answer answer_to(Service& service, const std::string& target, const std::string& tag = "") {
  Request request{.method = "GET", .raw_target = target, .target = {}, .headers = {}, .body = ""};
  request.target = std::move(parse_target(target).value());
  if (!tag.empty()) request.headers.emplace_back("If-None-Match", tag);
  return dispatch(service, request);
}

std::string tag_of(const Answer& answer) {
  for (const auto& [name, value] : answer.headers)
    if (name == "ETag") return value;
  return "";
}

bool has_total(const Answer& answer, std::size_t runs) {
  return answer.body.find("\"total\":" + std::to_string(runs) + ",") != std::string::npos;
}

TEST_P(KeptAnswersOnBoth, AStateIsAnotherOneAfterEachChangeAndNeverComesBack) {
  Store writer = opened("runs.db");
  StorePool pool(database("runs.db"));
  std::vector<StoreState> seen = {pool.state().value()};
  std::mt19937 random(7);
  for (int step = 0; step < 60; ++step) {
    const bool changes = random() % 2 == 0;
    if (!changes) {
      ASSERT_TRUE(pool.with([](const Store& s) { return s.list(); }).ok());
      const StoreState now = pool.state().value();
      // Others use the server as well.
      EXPECT_TRUE(now == seen.back() || GetParam() == DatabaseKind::kServer) << step;
      continue;
    }
    ASSERT_TRUE(step % 5 == 4 && writer.last()->has_value()
                    ? writer.remove(writer.last()->value()).ok()
                    : writer.append(run_of(step)).ok());
    const StoreState now = pool.state().value();
    EXPECT_EQ(std::ranges::find(seen, now), seen.end()) << step;
    seen.push_back(now);
  }
}

TEST_P(KeptAnswersOnBoth, AChangeIsSeenByTheNextRequest) {
  Store writer = opened("runs.db");
  Service service(database("runs.db"));
  const std::string list = "/api/v1/runs?limit=20", page = "/?model=resnet", hosts = "/hosts";
  for (std::int64_t run = 1; run <= 20; ++run) {
    const Answer before = answer_to(service, list), page_before = answer_to(service, page);
    EXPECT_TRUE(has_total(before, static_cast<std::size_t>(run - 1)));
    EXPECT_EQ(answer_to(service, list).body, before.body);
    ASSERT_TRUE(writer.append(run_of(run)).ok());
    EXPECT_TRUE(has_total(answer_to(service, list), static_cast<std::size_t>(run))) << run;
    EXPECT_NE(answer_to(service, page).body, page_before.body) << run;
    EXPECT_EQ(answer_to(service, hosts).status, kOk);
  }
}

TEST_P(KeptAnswersOnBoth, AnAnswerIsNeverOlderThanItsRequest) {
  Store writer = opened("runs.db");
  Service service(database("runs.db"));
  std::atomic<std::size_t> written = 0;
  std::atomic<bool> ended = false;
  std::vector<std::thread> readers;
  std::atomic<int> stale = 0, answered = 0;
  for (int reader = 0; reader < 3; ++reader)
    readers.emplace_back([&] {
      while (!ended) {
        const std::size_t least = written;
        const Answer answer = answer_to(service, "/api/v1/runs?limit=1");
        bool fresh = false;
        for (std::size_t runs = least; runs <= 40 && !fresh; ++runs)
          fresh = has_total(answer, runs);
        stale += fresh ? 0 : 1;
        ++answered;
      }
    });
  for (std::int64_t run = 1; run <= 40; ++run) {
    EXPECT_TRUE(writer.append(run_of(run)).ok());
    written = static_cast<std::size_t>(run);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  ended = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(stale, 0);
  EXPECT_GT(answered, 0);
}

TEST_P(KeptAnswersOnBoth, ATagSparesTheAnswerUntilTheStoreChanges) {
  Store writer = opened("runs.db");
  Service service(database("runs.db"));
  const Answer first = answer_to(service, "/api/v1/runs");
  const std::string tag = tag_of(first);
  EXPECT_EQ(first.status, kOk);
  for (const std::string& names : {tag, "W/" + tag, "\"other\", " + tag, std::string("*")}) {
    const Answer same = answer_to(service, "/api/v1/runs", names);
    EXPECT_EQ(same.status, kNotModified) << names;
    EXPECT_EQ(same.body, "");
    EXPECT_EQ(tag_of(same), tag);
  }
  EXPECT_EQ(answer_to(service, "/api/v1/runs", "\"other\"").body, first.body);
  EXPECT_EQ(answer_to(service, "/api/v1/hosts", tag).status, kOk);
  ASSERT_TRUE(writer.append(run_of(1)).ok());
  const Answer changed = answer_to(service, "/api/v1/runs", tag);
  EXPECT_EQ(changed.status, kOk);
  EXPECT_NE(tag_of(changed), tag);
}

TEST(KeptAnswersOfFile, AFileInThePlaceOfAnotherIsSeen) {
  const store::Folder folder;
  const std::string here = folder.file("runs.db"), there = folder.file("other.db");
  for (const auto& [path, runs] : {std::pair(here, 1), std::pair(there, 3)}) {
    Store store = std::move(Store::open(path, Access::kCreate).value());
    for (int run = 0; run < runs; ++run) ASSERT_TRUE(store.append(run_of(run)).ok());
  }
  Service service(here);
  EXPECT_TRUE(has_total(answer_to(service, "/api/v1/runs"), 1));
  std::filesystem::rename(there, here);
  EXPECT_TRUE(has_total(answer_to(service, "/api/v1/runs"), 3));
  EXPECT_TRUE(has_total(answer_to(service, "/api/v1/runs"), 3));
}

TEST(KeptAnswers, AreOfOneStateAndWithinTheirBytes) {
  KeptAnswers kept;
  const StoreState old{1, "a"}, next{1, "b"};
  kept.find(old, "/");
  kept.keep(old, "/", Answer::json("old"));
  EXPECT_EQ(kept.find(old, "/")->body, "old");
  EXPECT_EQ(kept.find(next, "/"), nullptr);
  kept.keep(old, "/", Answer::json("late"));
  EXPECT_EQ(kept.find(next, "/"), nullptr);
  kept.keep(next, "/large", Answer::json(std::string(KeptAnswers::kMostOfOne, 'x')));
  EXPECT_EQ(kept.find(next, "/large"), nullptr);
  const std::string megabyte(std::size_t{1} << 20, 'x');
  for (int i = 0; i < 40; ++i) kept.keep(next, std::to_string(i), Answer::json(megabyte));
  std::size_t there = 0;
  for (int i = 0; i < 40; ++i) there += kept.find(next, std::to_string(i)) ? 1 : 0;
  EXPECT_LE(there * megabyte.size(), KeptAnswers::kMost);
  EXPECT_NE(kept.find(next, "39"), nullptr);
}

}  // namespace
}  // namespace ridge::lab::serve
