// SPDX-License-Identifier: Apache-2.0
// A daemon without descriptors says so, and goes on once it has some.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/testing/sanitized.h"
#include "sharing/run/testing/roles.h"
#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

/// Sets the soft limit of another process.
void limit_descriptors(pid_t process, rlim_t most) {
  rlimit limit{};
  ASSERT_EQ(::prlimit(process, RLIMIT_NOFILE, nullptr, &limit), 0);
  limit.rlim_cur = most;
  ASSERT_EQ(::prlimit(process, RLIMIT_NOFILE, &limit, nullptr), 0);
}

/// The least number that a further descriptor would get.
rlim_t lowest_free(pid_t process) {
  rlim_t out = 0;
  while (std::filesystem::exists(std::filesystem::symlink_status(
      "/proc/" + std::to_string(process) + "/fd/" + std::to_string(out))))
    ++out;
  return out;
}

TEST(ShareDescriptors, WithoutThemTheReasonIsNamed) {
  // The check of virtual tables opens a pipe to see whether it may read, and fails without.
  if (kSanitized) GTEST_SKIP() << "sanitizers take descriptors of their own";
  const testing::PrivateFolder folder;
  const std::string file = folder.write("model", "weights");
  const ipc::Process daemon = testing::start_daemon_role(folder.path());
  ASSERT_TRUE(daemon.running());
  auto client = Client::connect(folder.path());
  ASSERT_TRUE(client.ok());
  const Ask ask{.what = What::kWeights, .model = file, .wait = true};
  ASSERT_TRUE(client->lease(ask, testing::kTestPatience).lease);
  // The connection that waited for the daemon is closed there too.
  const Nanos deadline = steady_clock().now() + testing::kTestPatience;
  while (client->list()->clients > 1 && steady_clock().now() < deadline) ::usleep(1000);
  limit_descriptors(daemon.id(), lowest_free(daemon.id()));
  EXPECT_EQ(testing::error_text(client->lease(ask).why),
            "error: the daemon has too few file descriptors\n  Too many open files\n"
            "  hint: raise its limit: ulimit -n\n  [RIDGE-SHARE-0035]\n");
  EXPECT_EQ(Client::connect(folder.path()).error().text(),
            "error: the daemon has too few file descriptors\n"
            "  hint: raise the limit of the program that starts it: ulimit -n\n"
            "  [RIDGE-SHARE-0043]\n");
  limit_descriptors(daemon.id(), 1000);
  EXPECT_TRUE(client->lease(ask).lease);
  EXPECT_TRUE(Client::connect(folder.path()).ok());
}

}  // namespace
}  // namespace ridge::sharing
