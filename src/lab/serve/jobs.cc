// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/jobs.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "lab/serve/describe.h"
#include "record/json_write.h"
#include "session/run_recorder.h"

namespace ridge::lab::serve {
namespace {

/// Status of a process that was interrupted (docs/reference/messages.md).
constexpr int kInterruptedStatus = 130;

Error no_job(std::int64_t id) {
  return input_error(kNoSuchJob, fmt::format("there is no job {}", id));
}

/// State of a job as an event, when it is another than before.
class JobEvents final : public EventSource {
 public:
  JobEvents(Jobs& jobs, std::int64_t id) : jobs_(jobs), id_(id) {}

  std::optional<std::string> take() override {
    if (ended_) return std::nullopt;
    const Result<Job> job = jobs_.find(id_);
    if (!job.ok()) return std::nullopt;
    ended_ = job->state != JobState::kRunning;
    const std::string text = record::json_text(record::kType<Job>, &*job);
    if (text == last_) return "";
    last_ = text;
    return fmt::format("event: {}\ndata: {}\n\n", ended_ ? "ended" : "state", text);
  }

 private:
  Jobs& jobs_;
  const std::int64_t id_;
  std::string last_;
  bool ended_ = false;
};

}  // namespace

/// Notes what the running job has said, and whether it has ended.
void Jobs::look() {
  if (jobs_.empty() || jobs_.back().state != JobState::kRunning) return;
  Job& job = jobs_.back();
  job.said = process_.last_words();
  const auto status = process_.wait(Nanos{0});
  if (!status) return;
  job.said = process_.last_words();
  job.ended_s = session::seconds_now();
  const int code = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
  job.status = code;
  job.state = code == 0 || code == 1       ? JobState::kDone
              : code == kInterruptedStatus ? JobState::kCanceled
                                           : JobState::kFailed;
  std::error_code ignored;
  std::filesystem::remove(request_, ignored);
}

Result<Job*> Jobs::job_of(std::int64_t id) {
  look();
  for (Job& job : jobs_)
    if (job.id == id) return &job;
  return no_job(id);
}

Result<void> Jobs::check_free() {
  look();
  const bool runs = !jobs_.empty() && jobs_.back().state == JobState::kRunning;
  if (!runs && !taken_) return {};
  return input_error(kJobRuns,
                     runs ? fmt::format("job {} runs", jobs_.back().id) : "models are being tried")
      .hint("one runs at a time, so that none disturbs another: wait, or cancel it");
}

Result<Turn> Jobs::take_turn() {
  const std::lock_guard lock(mutex_);
  TRY(check_free());
  taken_ = true;
  return Turn(*this);
}

Turn::~Turn() {
  if (jobs_ == nullptr) return;
  const std::lock_guard lock(jobs_->mutex_);
  jobs_->taken_ = false;
}

Result<Job> Jobs::start(const JobRequest& request) {
  const std::lock_guard lock(mutex_);
  TRY(check_free());
  request_ = TRY(new_temporary_file("request", ".json"));
  TRY(write_file(request_, request.text));
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                      request.verb, "--request=" + request_, "--store=" + store_};
  if (request.verb == "eval" && !registry_.empty()) command.push_back("--registry=" + registry_);
  process_ = TRY(ipc::Process::start_command(command));
  const std::int64_t id = jobs_.empty() ? 1 : jobs_.back().id + 1;
  jobs_.push_back({.id = id,
                   .verb = request.verb,
                   .request = {request.text},
                   .started_s = session::seconds_now()});
  if (jobs_.size() > kKept) jobs_.erase(jobs_.begin());
  return jobs_.back();
}

std::vector<Job> Jobs::list() {
  const std::lock_guard lock(mutex_);
  look();
  return {jobs_.rbegin(), jobs_.rend()};
}

Result<Job> Jobs::find(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  return *TRY(job_of(id));
}

Result<Job> Jobs::cancel(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  Job* job = TRY(job_of(id));
  if (job->state == JobState::kRunning) ::kill(process_.id(), SIGINT);
  return *job;
}

Result<std::shared_ptr<EventSource>> Jobs::events(std::int64_t id) {
  TRY(find(id));
  return std::shared_ptr<EventSource>(std::make_shared<JobEvents>(*this, id));
}

}  // namespace ridge::lab::serve
