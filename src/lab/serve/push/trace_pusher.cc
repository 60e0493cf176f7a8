// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/trace_pusher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "base/text.h"
#include "export/formats/otlp_trace.h"
#include "lab/serve/push/delivery.h"
#include "store/run_filter.h"

namespace ridge::lab::serve {
namespace {

constexpr std::chrono::milliseconds kJobLook{200};
constexpr std::int64_t kRowsAtOnce = 100;

std::string own_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// Whether a machine is called `host`: "host, processor, number of processors"; one that is not
/// recorded may be.
bool is_machine_of(const std::string& machine, const std::string& host) {
  return machine.empty() || machine == host || machine.starts_with(host + ", ");
}

/// Sends each line once it is complete, until one is not accepted.
class LineSink final : public Sink {
 public:
  explicit LineSink(std::function<Delivery(std::string_view)> send) : send_(std::move(send)) {}

  void write(std::string_view text) override {
    if (!last_.accepted) return;
    line_ += text;
    if (!line_.ends_with('\n')) return;
    const std::string remark = std::exchange(last_.why, {});
    const std::int64_t rejected = last_.rejected;
    last_ = send_(line_);
    last_.rejected += rejected;
    if (last_.why.empty()) last_.why = remark;
    line_.clear();
  }
  /// Sum over all lines; the remark is the last one.
  const Delivery& sent() const { return last_; }

 private:
  std::function<Delivery(std::string_view)> send_;
  std::string line_;
  Delivery last_{.accepted = true, .why = {}};
};

std::string otlp_counter(std::string_view name, std::string_view meaning, std::uint64_t value) {
  return fmt::format("# TYPE {0} counter\n# HELP {0} {1}\n{0}_total {2}\n", name, meaning, value);
}

}  // namespace

TracePusher::TracePusher(Collector collector, StorePool& stores, Jobs& jobs, Warn warn)
    : collector_(std::move(collector)),
      stores_(stores),
      jobs_(jobs),
      warn_(std::move(warn)),
      host_(own_host()),
      thread_([this] { push_until_stopped(); }) {}

TracePusher::~TracePusher() {
  stopped_ = true;
  {
    const std::lock_guard lock(mutex_);  // so that the thread is not between its look and its wait
  }
  changed_.notify_all();
  thread_.join();
  for (const Watched& watched : watched_)
    if (const auto runs = new_runs(watched); runs.ok())
      for (const store::RunId id : *runs)
        if (id <= watched.until) give_up(id, "the server ended before");
}

Result<store::RunId> TracePusher::last_run() const {
  return stores_.with([](const store::Store& store) -> Result<store::RunId> {
    return TRY(store.last()).value_or(0);
  });
}

void TracePusher::watch(std::int64_t job, store::RunId before) {
  {
    const std::lock_guard lock(mutex_);
    if (!watched_.empty()) watched_.back().until = before;
    watched_.push_back({.job = job, .after = before});
  }
  changed_.notify_all();
}

void TracePusher::push_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (watched_.empty()) {
      changed_.wait(lock, [&] { return stopped_ || !watched_.empty(); });
      continue;
    }
    Watched first = watched_.front();
    lock.unlock();
    const bool ended = look(first);
    lock.lock();
    watched_.front().after = first.after;
    if (ended)
      watched_.pop_front();
    else
      changed_.wait_for(lock, kJobLook, [&] { return stopped_.load(); });
  }
}

/// Pushes what the job has stored by now; true once it has ended and all is done.
bool TracePusher::look(Watched& watched) {
  const Result<Job> job = jobs_.find(watched.job);
  const bool ended = !job.ok() || job->state != JobState::kRunning;  // before its runs are read
  const auto runs = new_runs(watched);
  if (!runs.ok()) {
    if (!ended) return false;
    ++failed_;
    warn_(environment_error("RIDGE-SERVE-0044",
                            fmt::format("the runs of job {} were not pushed", watched.job))
              .evidence(runs.error().summary())
              .hint("ridge export RUN --to otlp writes each for a collector to read"));
    return true;
  }
  for (const store::RunId id : *runs) {
    if (id > last_of_first()) break;
    if (!push(id)) return false;
    watched.after = id;
  }
  return ended;
}

/// The newest run that may be of the job that is looked after: another job may have begun since.
store::RunId TracePusher::last_of_first() {
  const std::lock_guard lock(mutex_);
  return watched_.front().until;
}

/// Oldest first.
Result<std::vector<store::RunId>> TracePusher::new_runs(const Watched& watched) const {
  return stores_.with([&](const store::Store& store) -> Result<std::vector<store::RunId>> {
    std::vector<store::RunId> out;
    if (TRY(store.last()).value_or(0) <= watched.after) return out;
    for (store::Window window{.limit = kRowsAtOnce, .offset = 0};; window.offset += kRowsAtOnce) {
      const auto rows = TRY(store.runs({}, window)).rows;
      for (const store::RunRow& row : rows) {
        if (row.id <= watched.after) return std::vector(out.rbegin(), out.rend());
        if (is_machine_of(row.machine, host_)) out.push_back(row.id);
      }
      if (std::ssize(rows) < kRowsAtOnce) return std::vector(out.rbegin(), out.rend());
    }
  });
}

/// False: the server ends, and it is neither pushed nor given up.
bool TracePusher::push(store::RunId id) {
  const auto run = stores_.with([&](const store::Store& store) { return store.read(id); });
  if (run.ok()) return push(id, *run);
  give_up(id, run.error().summary());
  return true;
}

bool TracePusher::push(store::RunId id, const profile::Profile& run) {
  LineSink sink([&](std::string_view line) {
    return deliver(collector_, line, kPushPatience, [&] { return stopped_.load(); });
  });
  exports::write_otlp_lines(run, sink);
  const Delivery& sent = sink.sent();
  if (sent.stopped) return false;
  rejected_spans_ += static_cast<std::uint64_t>(sent.rejected);
  if (sent.rejected > 0 || (sent.accepted && !sent.why.empty()))
    warn_(environment_error("RIDGE-SERVE-0045",
                            fmt::format("{} rejected {} of run {}", collector_.text(),
                                        counted(sent.rejected, "span"), id))
              .evidence(sent.why)
              .hint("the collector's own log says more"));
  if (sent.accepted)
    ++pushed_;
  else
    give_up(id, sent.why);
  return true;
}

void TracePusher::give_up(store::RunId id, const std::string& why) {
  ++failed_;
  warn_(environment_error("RIDGE-SERVE-0044",
                          fmt::format("run {} was not pushed to {}", id, collector_.text()))
            .evidence(why)
            .hint("ridge export RUN --to otlp writes it for a collector to read"));
}

std::string TracePusher::metrics() const {
  return otlp_counter("ridge_otlp_pushed", "runs whose traces a collector took", pushed_) +
         otlp_counter("ridge_otlp_failed", "runs whose traces were not pushed", failed_) +
         otlp_counter("ridge_otlp_rejected_spans", "spans that a collector rejected",
                      rejected_spans_);
}

}  // namespace ridge::lab::serve
