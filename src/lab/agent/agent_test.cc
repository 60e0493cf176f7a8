// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/agent.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "ipc/descriptor.h"
#include "lab/agent/wire.h"

namespace ridge::lab {
namespace {

/// Result of an agent that is sent a job and then nothing more.
Result<void> served(const Job& job) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const std::string sent = folder.path() + "/sent", said = folder.path() + "/said";
  TRY(write_file(sent, greeting() + wire(Kind::kJob, job)));
  const ipc::Descriptor in(::open(sent.c_str(), O_RDONLY | O_CLOEXEC));
  const ipc::Descriptor out(::open(said.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return serve_agent(
      {.in = in.get(), .out = out.get(), .cache = folder.path(), .facts = [] { return Facts{}; }});
}

TEST(Agent, StartsNoOtherVerbsThanThoseWithPoints) {
  Job job{.id = 1, .verb = "eval", .request = "model = \"none.onnx\"\n", .files = {}};
  EXPECT_TRUE(served(job).ok());
  for (const char* verb : {"runs", "--help", "", "eval compare"}) {
    job.verb = verb;
    EXPECT_EQ(served(job).error().code(), "RIDGE-LAB-0102") << verb;
  }
}

}  // namespace
}  // namespace ridge::lab
