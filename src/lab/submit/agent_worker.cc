// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/agent_worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

#include "base/text.h"
#include "lab/agent/wire.h"

namespace ridge::lab {
namespace {

using What = WorkerEvent::What;

constexpr std::size_t kReadPerStep = std::size_t{8} << 20, kQueued = std::size_t{2} << 20;
constexpr std::size_t kKeptWords = 4096;
constexpr Nanos kLastGrace{1'500'000'000};

}  // namespace

AgentWorker::AgentWorker(const Host& host, std::string folder, const Clock& clock)
    : host_{host.name, host.ssh, host.port, host.identity, host.known_hosts},
      tags_(host.tags),
      folder_(std::move(folder)),
      clock_(clock) {}

Result<void> AgentWorker::start() {
  end();
  process_ =
      TRY(Spawned::start({.command = agent_command(host_), .input = true, .own_errors = true}));
  reader_.emplace(host_.name);
  out_ = greeting();
  heard_ = clock_.now();
  return {};
}

void AgentWorker::end() {
  process_.close_input();
  process_.end(kLastGrace);
  process_ = Spawned();
  reader_.reset();
  out_.clear();
  words_.clear();
  wanted_.clear();
  sending_.reset();
  arriving_.reset();
  closed_ = false;
}

void AgentWorker::give(const JobSource& job, bool is_known) {
  job_ = job.job;
  job_.is_known = is_known;
  out_ += wire(Kind::kJob, job_);
  flush();
}

void AgentWorker::run(const Run& run) {
  out_ += wire(Kind::kRun, run);
  flush();
}

void AgentWorker::stop(LeaseId lease) {
  out_ += wire(Kind::kStop, Stop{lease});
  flush();
}

std::vector<pollfd> AgentWorker::wait_for() const {
  std::vector<pollfd> out;
  if (!process_.running()) return out;
  if (!closed_) out.push_back({process_.output().get(), POLLIN, 0});
  if (closed_ && process_.ending().is_open()) out.push_back({process_.ending().get(), POLLIN, 0});
  if (!closed_ && (!out_.empty() || sending_ || !wanted_.empty()))
    out.push_back({process_.input().get(), POLLOUT, 0});
  return out;
}

std::string AgentWorker::store_path(LeaseId lease) const {
  return fmt::format("{}/{}-{}.db", folder_, host_.name, lease);
}

Result<void> AgentWorker::take_wanted(const Frame& frame) {
  const Wanted wanted = TRY(unwire<Wanted>(frame, host_.name));
  for (const std::string& hash : wanted.sha256) {
    if (std::ranges::find(job_.files, hash, &JobFile::sha256) == job_.files.end())
      return no_message(host_.name, "it asks for a file that the job does not have");
    wanted_.push_back(hash);
  }
  return {};
}

Result<void> AgentWorker::take_part(const Frame& frame) {
  const StorePart part = TRY(unwire<StorePart>(frame, host_.name));
  if (!arriving_ || arriving_lease_ != part.lease) {
    arriving_.emplace(TRY(FileWriter::create(store_path(part.lease), Durability::kUnsynced)));
    arriving_lease_ = part.lease;
  }
  return arriving_->write(part.bytes);
}

Result<WorkerEvent> AgentWorker::take_done(const Frame& frame) {
  WorkerEvent out{.what = What::kResult};
  out.done = TRY(unwire<Done>(frame, host_.name));
  out.lease = out.done.lease;
  if (!arriving_ || arriving_lease_ != out.lease) return out;
  TRY(arriving_->commit());
  arriving_.reset();
  out.store = store_path(out.lease);
  return out;
}

Result<std::optional<WorkerEvent>> AgentWorker::take(const Frame& frame) {
  WorkerEvent out;
  switch (frame.kind) {
    case Kind::kFacts:
      out.what = What::kFacts;
      out.facts = TRY(unwire<Facts>(frame, host_.name));
      return std::optional(std::move(out));
    case Kind::kWanted:
      TRY(take_wanted(frame));
      return std::optional<WorkerEvent>();
    case Kind::kPlan:
      out.what = What::kPlan;
      out.plan = TRY(unwire<Plan>(frame, host_.name));
      return std::optional(std::move(out));
    case Kind::kAlive:
      out.lease = TRY(unwire<Alive>(frame, host_.name)).lease;
      return std::optional(std::move(out));
    case Kind::kProgress: {
      ProgressLine line = TRY(unwire<ProgressLine>(frame, host_.name));
      out.what = What::kProgress;
      out.lease = line.lease;
      out.text = std::move(line.text);
      return std::optional(std::move(out));
    }
    case Kind::kStorePart:
      TRY(take_part(frame));
      return std::optional<WorkerEvent>();
    case Kind::kDone:
      return std::optional(TRY(take_done(frame)));
    case Kind::kFault: {
      Fault fault = TRY(unwire<Fault>(frame, host_.name));
      if (!fault.error) return no_message(host_.name, "a fault without its error");
      out.what = What::kFault;
      out.lease = fault.lease;
      out.error = std::move(*fault.error).in(host_.name);
      return std::optional(std::move(out));
    }
    default:
      return no_message(host_.name, fmt::format("a message of kind {}", frame.kind));
  }
}

Result<void> AgentWorker::read_frames(std::vector<WorkerEvent>& out) {
  std::string bytes;
  const bool open = closed_ || read_available(process_.output(), bytes, kReadPerStep);
  if (!bytes.empty()) heard_ = clock_.now();
  reader_->feed(bytes);
  if (!open) {
    closed_ = true;
    closed_at_ = clock_.now();
  }
  for (;;) {
    const std::optional<Frame> frame = TRY(reader_->next());
    if (!frame) return {};
    if (auto event = TRY(take(*frame))) out.push_back(std::move(*event));
  }
}

Result<void> AgentWorker::queue_part(Sending& sending) {
  const std::int64_t size = std::min<std::int64_t>(kFilePart, sending.file.size() - sending.at);
  FilePart part{sending.what.sha256, std::string(static_cast<std::size_t>(size), '\0')};
  TRY(sending.file.read_at(sending.at, std::as_writable_bytes(std::span(part.bytes))));
  sending.at += size;
  part.last = sending.at == sending.file.size();
  out_ += wire(Kind::kFilePart, part);
  return {};
}

/// Queues parts of wanted files, a few megabytes ahead.
Result<void> AgentWorker::fill() {
  while (out_.size() < kQueued && (sending_ || !wanted_.empty())) {
    if (!sending_) {
      const auto file = std::ranges::find(job_.files, wanted_.front(), &JobFile::sha256);
      File opened = TRY(File::open(file->path));
      sending_.emplace(Sending{*file, std::move(opened)});
      wanted_.pop_front();
    }
    TRY(queue_part(*sending_));
    if (sending_->at == sending_->file.size()) sending_.reset();
  }
  return {};
}

void AgentWorker::flush() {
  while (!out_.empty() && process_.input().is_open()) {
    const ssize_t written = ::write(process_.input().get(), out_.data(), out_.size());
    if (written > 0) out_.erase(0, static_cast<std::size_t>(written));
    if (written < 0 && errno == EAGAIN) return;
    if (written < 0 && errno != EINTR) return process_.close_input();
  }
}

/// Why the agent is gone, if it is.
std::optional<Error> AgentWorker::trouble() {
  const Nanos now = clock_.now();
  const Nanos silence = now - heard_, patience = reader_->greeted() ? kSilence : kPatience;
  if (!closed_ && silence < patience) return std::nullopt;
  if (!closed_)
    return environment_error("RIDGE-LAB-0124", fmt::format("{} says nothing for {}", host_.name,
                                                           duration(silence.count)))
        .evidence(reader_->noise());
  const auto status = process_.ended();
  if (!status && now - closed_at_ < kLastGrace) return std::nullopt;
  if (process_.errors().is_open()) read_available(process_.errors(), words_, kKeptWords);
  process_.end(Nanos{0});
  return not_answered(host_, status.value_or(-1), words_);
}

std::vector<WorkerEvent> AgentWorker::step() {
  std::vector<WorkerEvent> out;
  if (!reader_) return out;
  std::optional<Error> error;
  if (const Result<void> read = read_frames(out); !read.ok()) error = read.error();
  read_available(process_.errors(), words_, kKeptWords);
  if (words_.size() > kKeptWords) words_.erase(0, words_.size() - kKeptWords);
  if (const Result<void> filled = fill(); !error && !filled.ok()) error = filled.error();
  flush();
  if (!error) error = trouble();
  if (!error) return out;
  end();
  out.push_back({.what = What::kLost, .error = std::move(error)});
  return out;
}

}  // namespace ridge::lab
