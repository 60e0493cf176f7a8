// SPDX-License-Identifier: Apache-2.0
// How often an evaluation opens what it reads, whatever the number of runtimes, counted by inotify.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "attribution/testing.h"
#include "base/file.h"
#include "evaluation/run/evaluation.h"
#include "evaluation/testing.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using scenario::Kind;

/// Counts how often files are opened while it lives.
class Opens {
 public:
  explicit Opens(const std::vector<std::string>& paths) {
    for (const std::string& path : paths)
      watches_.push_back(::inotify_add_watch(queue_, path.c_str(), IN_OPEN | IN_CLOSE));
  }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;
  ~Opens() { ::close(queue_); }

  /// For each path, in their order. The kernel merges equal events that follow each other, so that
  /// those of closing are watched as well.
  std::vector<int> count() {
    std::vector<int> out(watches_.size());
    alignas(inotify_event) char events[4096];
    for (ssize_t got = 0; (got = ::read(queue_, events, sizeof events)) > 0;)
      for (ssize_t at = 0; at < got;) {
        const auto* event = reinterpret_cast<const inotify_event*>(events + at);
        for (std::size_t i = 0; i < watches_.size(); ++i)
          out[i] += event->wd == watches_[i] && (event->mask & IN_OPEN) != 0 ? 1 : 0;
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    return out;
  }

 private:
  int queue_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  std::vector<int> watches_;
};

TEST(EvaluationReads, DataAndLabelsOnceForAllRuntimes) {
  const session::testing::ModelFile model(testing::kBrighterRow, "reads");
  const testing::Images images("2\n0\n1\n0\n2\n");
  EvaluationRequest request = testing::accuracy_of(model, images);
  request.spec.runtimes = {"null", "null"};
  Opens opens({images.images, images.labels});
  EXPECT_EQ(must(evaluate(request, model.environment)).points.size(), 2U);
  EXPECT_EQ(opens.count(), (std::vector<int>{1, 1}));
}

TEST(EvaluationReads, TheConfigurationOfLoadgenOnceForAllRuntimes) {
  const session::testing::ModelFile model("graph main\n input x[1,4]\n Relu(x) -> y\n output y",
                                          "reads-configuration");
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  const std::string conf = folder.path() + "/user.conf";
  ASSERT_TRUE(write_file(conf, "*.*.min_duration = 1\n").ok());
  EvaluationRequest request{.model = model.path, .spec = model.spec};
  request.spec.runtimes = {"null", "null"};
  request.scenario = {
      .kind = Kind::kSingleStream, .min_duration = Nanos{1'000'000}, .min_queries = 10};
  request.mlperf = {.logs = folder.path() + "/logs", .user_conf = conf};
  Opens opens({conf});
  EXPECT_EQ(must(evaluate(request, model.environment)).points.size(), 2U);
  EXPECT_EQ(opens.count(), std::vector<int>{1});
}

}  // namespace
}  // namespace ridge::evaluation
