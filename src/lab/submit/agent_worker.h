// SPDX-License-Identifier: Apache-2.0
// A host with an agent: over ssh, or beside this program.
//
//   AgentWorker b2(host, folder, steady_clock());   // `folder`: for run databases that come
//
// An agent that says nothing for kSilence is lost. Errors of kLost: ssh/command.h, agent/frame.h,
// RIDGE-LAB-0124 (silence).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_writer.h"
#include "lab/agent/frame.h"
#include "lab/agent/spawned.h"
#include "lab/ssh/command.h"
#include "lab/submit/lab_file.h"
#include "lab/submit/worker.h"

namespace ridge::lab {

class AgentWorker final : public Worker {
 public:
  /// Until the agent answers, and between its signs of life.
  static constexpr Nanos kPatience{30'000'000'000}, kSilence{15'000'000'000};

  AgentWorker(const Host& host, std::string folder, const Clock& clock);

  const std::string& name() const override { return host_.name; }
  const std::vector<std::string>& tags() const override { return tags_; }
  std::size_t slots() const override { return 1; }
  Result<void> start() override;
  void give(const JobSource& job, bool is_known) override;
  void run(const Run& run) override;
  void stop(LeaseId lease) override;
  void end() override;
  std::vector<pollfd> wait_for() const override;
  std::vector<WorkerEvent> step() override;

 private:
  struct Sending {
    JobFile what;
    File file;
    std::int64_t at = 0;
  };

  Result<void> read_frames(std::vector<WorkerEvent>& out);
  Result<std::optional<WorkerEvent>> take(const Frame& frame);
  Result<void> take_wanted(const Frame& frame);
  Result<void> take_part(const Frame& frame);
  Result<WorkerEvent> take_done(const Frame& frame);
  Result<void> fill();
  Result<void> queue_part(Sending& sending);
  void flush();
  std::optional<Error> trouble();
  std::string store_path(LeaseId lease) const;

  SshHost host_;
  std::vector<std::string> tags_;
  std::string folder_;
  const Clock& clock_;
  Spawned process_;
  std::optional<FrameReader> reader_;
  std::string out_, words_;  ///< to be written; the end of its standard error
  Job job_;
  std::deque<std::string> wanted_;  ///< hashes of files that the agent lacks
  std::optional<Sending> sending_;
  std::optional<FileWriter> arriving_;
  LeaseId arriving_lease_ = 0;
  bool closed_ = false;
  Nanos heard_{0}, closed_at_{0};
};

}  // namespace ridge::lab
