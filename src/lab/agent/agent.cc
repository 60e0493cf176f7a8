// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/agent.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "lab/agent/file_cache.h"
#include "lab/agent/plan.h"
#include "lab/agent/spawned.h"
#include "lab/agent/wire.h"
#include "session/run_recorder.h"

namespace ridge::lab {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr Nanos kSignOfLife{1'000 * kMillisecond}, kGrace{1'000 * kMillisecond};
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20, kLastWords = 1000;
const std::string kPeer = "ridge submit";

class Agent {
 public:
  Agent(const AgentSetup& setup, FileCache cache)
      : setup_(setup), reader_(kPeer), cache_(std::move(cache)) {}

  Result<void> serve() {
    say(greeting());
    Facts facts = setup_.facts();
    facts.time_s = session::seconds_now();
    tell(Kind::kFacts, facts);
    while (!closed_ && !stopped()) {
      TRY(wait());
      while (!closed_) {
        const std::optional<Frame> frame = TRY(reader_.next());
        if (!frame) break;
        TRY(take(*frame));
      }
      look_after_child();
    }
    child_.end(kGrace);
    return {};
  }

 private:
  enum class Doing : std::uint8_t { kNothing, kPlan, kPoint };

  bool stopped() const { return setup_.stop != nullptr && setup_.stop->load(); }

  /// Writes all of it; the other side always reads.
  void say(std::string_view bytes) {
    while (!bytes.empty() && !closed_) {
      const ssize_t written = ::write(setup_.out, bytes.data(), bytes.size());
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && (errno != EINTR || stopped())) closed_ = true;
    }
    last_said_ = steady_clock().now();
  }

  template <typename T>
  void tell(Kind::Value kind, const T& message) {
    say(wire(kind, message));
  }

  /// Waits for bytes, output or the end of the child, or the next sign of life.
  Result<void> wait() {
    std::array<pollfd, 3> on = {pollfd{setup_.in, POLLIN, 0},
                                pollfd{child_.output().get(), POLLIN, 0},
                                pollfd{child_.ending().get(), POLLIN, 0}};
    constexpr int kOftenWithoutEnding = 20, kOften = 1000;
    const bool blind = child_.running() && !child_.ending().is_open();
    if (::poll(on.data(), on.size(), blind ? kOftenWithoutEnding : kOften) < 0) return {};
    if (on[0].revents != 0) read_input();
    return {};
  }

  void read_input() {
    std::array<char, 64 << 10> buffer;
    const ssize_t got = ::read(setup_.in, buffer.data(), buffer.size());
    if (got > 0) reader_.feed({buffer.data(), static_cast<std::size_t>(got)});
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) closed_ = true;
  }

  Result<void> take(const Frame& frame) {
    if (frame.kind == Kind::kJob) return take_job(TRY(unwire<Job>(frame, kPeer)));
    if (frame.kind == Kind::kFilePart) return take_part(TRY(unwire<FilePart>(frame, kPeer)));
    if (frame.kind == Kind::kRun) return take_run(TRY(unwire<Run>(frame, kPeer)));
    if (frame.kind == Kind::kStop) return take_stop(TRY(unwire<Stop>(frame, kPeer)));
    return no_message(kPeer, fmt::format("a message of kind {}", frame.kind));
  }

  // The job

  Result<void> take_job(Job job) {
    if (doing_ != Doing::kNothing || planned_.contains(job.id))
      return no_message(kPeer, "a job before its time");
    const auto verbs = submitted_verbs();
    if (std::ranges::find(verbs, job.verb) == verbs.end())
      return no_message(kPeer, fmt::format("a request of the verb '{}'", printable(job.verb)));
    job_ = std::move(job);
    missing_.clear();
    refused_ = false;
    Wanted wanted;
    for (const JobFile& file : job_.files) {
      if (const Result<void> good = check(file); !good.ok()) return fault(good.error());
      if (!cache_.has(file) && missing_.insert(file.sha256).second)
        wanted.sha256.push_back(file.sha256);
    }
    tell(Kind::kWanted, wanted);
    if (missing_.empty()) start_plan();
    return {};
  }

  Result<void> take_part(const FilePart& part) {
    const auto file = std::ranges::find(job_.files, part.sha256, &JobFile::sha256);
    if (file == job_.files.end() || !missing_.contains(part.sha256))
      return no_message(kPeer, "a part of a file that was not asked for");
    if (refused_) return {};
    if (const Result<void> added = cache_.add(*file, part); !added.ok()) {
      refused_ = true;
      return fault(added.error());
    }
    if (!part.last) return {};
    missing_.erase(part.sha256);
    if (missing_.empty()) start_plan();
    return {};
  }

  Result<void> fill_folder() {
    if (!folder_) folder_.emplace(TRY(TemporaryFolder::make(setup_.cache)));
    TRY(make_folder(folder_of_job()));
    TRY(make_folder(work()));
    for (const JobFile& file : job_.files) TRY(cache_.place(file, work()));
    return write_file(request_path(), job_.request);
  }

  void start_plan() {
    const auto started = [&]() -> Result<void> {
      TRY(fill_folder());
      if (job_.is_known) return accept(Plan{}), Result<void>();
      return start(Doing::kPlan, plan_command(job_.verb, request_path(), plan_path()));
    }();
    if (!started.ok()) report_fault(started.error());
  }

  std::string folder_of_job() const { return fmt::format("{}/{}", folder_->path(), job_.id); }
  std::string work() const { return folder_of_job() + "/work"; }
  std::string request_path() const {
    return folder_of_job() + (job_.is_json ? "/request.json" : "/request.toml");
  }
  std::string plan_path() const { return folder_of_job() + "/plan.json"; }
  std::string store_path() const { return fmt::format("{}/{}.db", folder_->path(), lease_); }

  // Points

  Result<void> take_run(const Run& run) {
    const auto planned = planned_.find(run.job);
    if (planned == planned_.end() || doing_ != Doing::kNothing)
      return no_message(kPeer, "a point before its time");
    lease_ = run.lease;
    job_ = planned->second;
    const Result<void> started =
        start(Doing::kPoint,
              point_command(job_.verb, request_path(), run.key, store_path(), folder_->path()));
    if (!started.ok()) report_fault(started.error());
    return {};
  }

  Result<void> take_stop(const Stop& stop) {
    if (doing_ != Doing::kPoint || stop.lease != lease_) return {};
    child_.end(kGrace);
    return {};
  }

  Result<void> start(Doing what, const std::vector<std::string>& arguments) {
    words_.clear();
    started_ = steady_clock().now();
    child_ = TRY(Spawned::start({.command = own_command(arguments, work())}));
    doing_ = what;
    return {};
  }

  void look_after_child() {
    if (doing_ == Doing::kNothing) return say_alive();
    const std::optional<int> status = child_.ended();
    pass_on_words();
    if (!status) return say_alive();
    const Doing done = std::exchange(doing_, Doing::kNothing);
    const Nanos wall = steady_clock().now() - started_;
    child_ = Spawned();
    if (done == Doing::kPlan)
      finish_plan(*status);
    else
      finish_point(*status, wall);
  }

  void say_alive() {
    if (steady_clock().now() - last_said_ >= kSignOfLife) tell(Kind::kAlive, Alive{lease_});
  }

  void pass_on_words() {
    std::string now;
    if (child_.output().is_open()) read_available(child_.output(), now, kReadAtOnce);
    if (now.empty()) return;
    words_ += now;
    if (words_.size() > kLastWords) words_.erase(0, words_.size() - kLastWords);
    const std::string_view text = std::string_view(words_).substr(0, words_.find_last_of("\r\n"));
    const std::size_t before = text.find_last_of("\r\n");
    const std::string_view line = text.substr(before == std::string_view::npos ? 0 : before + 1);
    if (doing_ == Doing::kPoint && !line.empty())
      tell(Kind::kProgress, ProgressLine{lease_, std::string(line)});
  }

  void finish_plan(int status) {
    Result<Plan> plan = read_plan(status, plan_path(), words_);
    if (!plan.ok()) return report_fault(plan.error());
    accept(std::move(*plan));
  }

  void accept(Plan plan) {
    plan.job = job_.id;
    planned_[job_.id] = job_;
    tell(Kind::kPlan, plan);
  }

  void finish_point(int status, Nanos wall) {
    const Result<void> sent = send_store();
    std::error_code ignored;
    std::filesystem::remove(store_path(), ignored);
    if (!sent.ok()) return report_fault(sent.error());
    tell(Kind::kDone, Done{lease_, status, wall.count, words_});
    lease_ = 0;
  }

  /// Sends what there is of it: a point that failed may have left none.
  Result<void> send_store() {
    if (!file_exists(store_path())) return {};
    const File file = TRY(File::open(store_path()));
    for (std::int64_t at = 0; at < file.size() && !closed_;) {
      const std::int64_t size = std::min<std::int64_t>(kFilePart, file.size() - at);
      StorePart part{lease_, std::string(static_cast<std::size_t>(size), '\0')};
      TRY(file.read_at(at, std::as_writable_bytes(std::span(part.bytes))));
      tell(Kind::kStorePart, part);
      at += size;
    }
    return {};
  }

  void report_fault(const Error& error) {
    tell(Kind::kFault, Fault{lease_, job_.id, error});
    lease_ = 0;
  }
  Result<void> fault(const Error& error) {
    report_fault(error);
    return {};
  }

  const AgentSetup& setup_;
  FrameReader reader_;
  FileCache cache_;
  bool closed_ = false;
  Nanos last_said_{0}, started_{0};
  Job job_;                               ///< job that is received, planned, or has the point
  std::map<std::uint32_t, Job> planned_;  ///< jobs whose points are known
  std::set<std::string> missing_;
  bool refused_ = false;  ///< a file of the job; what follows of it is not looked at
  std::optional<TemporaryFolder> folder_;
  Spawned child_;
  Doing doing_ = Doing::kNothing;
  LeaseId lease_ = 0;
  std::string words_;
};

}  // namespace

Result<void> serve_agent(const AgentSetup& setup) {
  return Agent(setup, TRY(FileCache::open(setup.cache + "/files"))).serve();
}

}  // namespace ridge::lab
