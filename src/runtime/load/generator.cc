// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/generator.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace ridge::runtime {
namespace {

using scenario::Query;

/// Longest sleep where another worker may answer a client.
constexpr std::int64_t kNewsNs = 50'000;
/// Time for which a worker draws queries ahead, and most of them.
constexpr std::int64_t kAheadNs = 20'000;
constexpr std::size_t kMaxAhead = 256;
/// Attempts to get the turn without sleeping.
constexpr int kTries = 200;

std::uint32_t saturated(std::int64_t ns) {
  constexpr std::int64_t kMax = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns, 0, kMax));
}

/// Waking a thread that sleeps takes longer than most gaps between queries, so workers try first.
std::unique_lock<std::mutex> take_turn(std::mutex& turn) {
  std::unique_lock lock(turn, std::defer_lock);
  for (int i = 0; i < kTries && !lock.try_lock(); ++i) pause();
  if (!lock.owns_lock()) lock.lock();
  return lock;
}

}  // namespace

Result<void> WorkerTarget::run_batch(std::span<const std::uint32_t>, std::uint32_t) {
  return bug("a batch for a target without batches", "Generator");
}

Generator::Generator(const scenario::Scenario& scenario, LoadTarget& target,
                     std::vector<std::uint32_t> samples, QueryLog& log, const Clock& clock)
    : scenario_(scenario),
      target_(target),
      samples_(std::move(samples)),
      log_(log),
      clock_(clock) {}

Generator::~Generator() {
  stop_.store(true);
  for (std::thread& thread : threads_) thread.join();
}

std::uint64_t Generator::progress() const {
  std::uint64_t done = 0;
  for (const auto& worker : workers_) done += worker->done.load(std::memory_order_relaxed);
  return done;
}

Result<void> Generator::start() {
  source_.emplace(TRY(QuerySource::make(scenario_, samples_)));
  if (scenario_.batching || scenario_.clients > 0) queue_.emplace(scenario_, *source_);
  for (std::uint32_t i = 0; i < scenario_.workers; ++i) {
    std::unique_ptr<WorkerTarget> target = TRY(target_.open_worker());
    workers_.push_back(std::make_unique<Worker>(std::move(target), log_.writer()));
  }
  for (const auto& worker : workers_) TRY(warm_up(*worker));
  running_ = workers_.size();
  result_.begun_ns = result_.measured_ns = now();
  source_->begin(result_.begun_ns);
  if (queue_) queue_->begin(result_.begun_ns);
  for (const auto& worker : workers_) worker->last_done_ns = result_.begun_ns;
  for (const auto& worker : workers_) threads_.emplace_back([this, &worker] { serve(*worker); });
  return {};
}

/// Runs samples of each model, or batches of each size.
Result<void> Generator::warm_up(Worker& worker) {
  for (std::uint32_t run = 0; run < scenario_.warmup_runs; ++run) {
    if (scenario_.batching) {
      for (const std::uint32_t size : scenario::sizes_of(*scenario_.batching)) {
        worker.prepared_inputs.clear();
        for (std::uint32_t i = 0; i < size; ++i) worker.prepared_inputs.push_back(i % samples_[0]);
        TRY(worker.target->run_batch(worker.prepared_inputs, size));
      }
      continue;
    }
    std::uint32_t first = 0;
    for (const std::uint32_t samples : samples_) {
      TRY(worker.target->run(first + run % samples));
      first += samples;
    }
  }
  return {};
}

bool Generator::wait_for(Nanos time) {
  std::unique_lock lock(ending_);
  return ended_.wait_for(lock, std::chrono::nanoseconds(time.count),
                         [this] { return running_ == 0; });
}

void Generator::fail(Error error) {
  const std::scoped_lock lock(ending_);
  if (!result_.failure) result_.failure = std::move(error);
  stop_.store(true);
}

void Generator::serve(Worker& worker) {
  while (take(worker) && run(worker)) {
  }
  const std::scoped_lock turn(turn_);
  const std::scoped_lock lock(ending_);
  result_.ended_ns = std::max(result_.ended_ns, worker.last_done_ns);
  result_.measured_ns = source_->measured_ns();
  if (queue_) result_.abandoned = queue_->abandoned();
  result_.canceled = target_.canceled();
  if (--running_ == 0) ended_.notify_all();
}

Result<void> Generator::run_sample(Worker& worker, const Due& due, std::uint32_t i) {
  TRY(worker.target->run(source_->neighbor(due, i)));
  if (scenario_.kept.empty() || due.warmup) return {};
  const std::uint64_t run = due.ordinal * scenario_.samples_per_query + i;
  if (!std::ranges::binary_search(scenario_.kept, run)) return {};
  return worker.target->keep(run);
}

Result<void> Generator::run_taken(Worker& worker) {
  worker.prepared_inputs.clear();
  if (worker.batch > 0) {
    for (const Due& due : worker.taken) worker.prepared_inputs.push_back(due.sample);
    return worker.target->run_batch(worker.prepared_inputs, worker.batch);
  }
  const Due& due = worker.taken.front();
  std::optional<Error> rejected;
  for (std::uint32_t i = 0; i < scenario_.samples_per_query; ++i) {
    Result<void> run = run_sample(worker, due, i);
    if (run.ok()) continue;
    if (run.error().error_class() != ErrorClass::kInput) return run;
    rejected = std::move(run).error();
  }
  if (rejected) return std::move(*rejected);
  return {};
}

/// False if the load ends.
bool Generator::run(Worker& worker) {
  const Result<void> done = run_taken(worker);
  if (!done.ok()) {
    if (target_.canceled()) return false;
    if (done.error().error_class() != ErrorClass::kInput) return fail(done.error()), false;
  }
  worker.last_done_ns = now();
  const bool room = record(worker, !done.ok());
  if (queue_ && queue_->has_clients()) queue_->answer(worker.taken.size(), worker.last_done_ns);
  if (room) return true;
  const std::scoped_lock lock(ending_);
  result_.log_full = true;
  stop_.store(true);
  return false;
}

/// False if the log is full.
bool Generator::record(Worker& worker, bool failed) {
  for (const Due& due : worker.taken) {
    const Query query{.scheduled_ns = due.due_ns,
                      .issued_ns = due.issued_ns,
                      .done_ns = worker.last_done_ns,
                      .late_ns = due.late_ns,
                      .sample = due.sample & Query::kSampleBits,
                      .failed = failed ? 1U : 0U,
                      .warmup = due.warmup ? 1U : 0U};
    if (!worker.log.add(query)) return false;
  }
  // Only this worker writes it.
  worker.done.store(worker.done.load(std::memory_order_relaxed) + worker.taken.size(),
                    std::memory_order_relaxed);
  return true;
}

bool Generator::take(Worker& worker) {
  if (queue_) return take_batch(worker);
  if (scenario_.kind == scenario::Kind::kServer) return take_scheduled(worker);
  return take_own(worker);
}

/// The worker that has the turn waits for a moment, at which it lets go of the turn; the first in
/// line sleeps and wakes up as it does, so that a query right behind finds it awake. The others
/// sleep.
std::unique_lock<std::mutex> Generator::scheduled_turn() {
  const std::unique_lock first = take_turn(line_);
  std::unique_lock turn(turn_, std::try_to_lock);
  while (!turn.owns_lock()) {
    const std::int64_t time = now(), due_ns = awaited_ns_.load(std::memory_order_relaxed);
    first_waiter_.approach(time, due_ns, longest_sleep(due_ns - time));
    (void)turn.try_lock();
  }
  return turn;
}

bool Generator::take_scheduled(Worker& worker) {
  const std::int64_t asked = worker.last_done_ns;
  const std::unique_lock lock = scheduled_turn();
  if (closed_ || stop_.load(std::memory_order_relaxed)) return false;
  closed_ = true;  // unless the end of this function is reached
  if (source_->out_of_time(asked)) {
    result_.abandoned = source_->abandon(0);
    return false;
  }
  std::optional<Due> due = source_->draw(asked);
  if (!due) return false;
  awaited_ns_.store(due->due_ns, std::memory_order_relaxed);
  if (!wait_until(due->due_ns)) return false;
  due->issued_ns = now();
  due->late_ns = saturated(due->issued_ns - std::max(due->due_ns, asked));
  worker.taken.assign(1, *due);
  closed_ = false;
  return true;
}

/// Draws what the worker will run in a while, judged by the queries that it drew before.
void Generator::draw_ahead(Worker& worker) {
  const std::int64_t asked = worker.last_done_ns;
  const std::unique_lock lock = take_turn(turn_);
  const std::int64_t each = std::max<std::int64_t>(
      1, (asked - worker.drawn_ns) / static_cast<std::int64_t>(worker.ahead));
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(1, kAheadNs / each));
  // Where the load ends by the moment of its last query, each is drawn when it is due.
  const bool ahead = source_->measuring() && scenario_.last == scenario::Last::kWithin;
  worker.ahead = ahead ? std::min({wanted, 2 * worker.ahead, kMaxAhead}) : 1;
  worker.drawn_ns = asked;
  while (worker.drawn.size() < worker.ahead) {
    const std::optional<Due> due = source_->draw(asked);
    if (!due) break;
    worker.drawn.push_back(*due);
  }
  std::ranges::reverse(worker.drawn);
}

/// Takes the next query of a worker that is a client, or takes samples that are all there.
bool Generator::take_own(Worker& worker) {
  const std::int64_t asked = worker.last_done_ns;
  if (worker.drawn.empty()) draw_ahead(worker);
  if (worker.drawn.empty() || stop_.load(std::memory_order_relaxed) || target_.canceled())
    return false;
  Due due = worker.drawn.back();
  worker.drawn.pop_back();
  if (!source_->belongs(due, asked)) return false;
  if (scenario_.kind != scenario::Kind::kOffline) due.due_ns = asked;
  due.issued_ns = now();
  due.late_ns = saturated(due.issued_ns - asked);
  worker.taken.assign(1, due);
  return true;
}

bool Generator::take_batch(Worker& worker) {
  const std::int64_t asked = worker.last_done_ns;
  const std::unique_lock lock = take_turn(turn_);
  std::optional<scenario::Batch> batch;
  for (bool known = false; !known;) {
    if (closed_ || stop_.load(std::memory_order_relaxed) || target_.canceled()) return false;
    const std::uint64_t news = queue_->news();
    batch = queue_->plan(asked);
    if (!batch && queue_->ended()) return false;
    const bool clients = queue_->has_clients();
    const std::int64_t until = batch ? batch->at_ns : now() + kLookNs;
    closed_ = !wait_until(until, clients ? std::optional(news) : std::nullopt);
    known = !closed_ && batch && (!clients || queue_->news() == news);
  }
  queue_->take(*batch, worker.taken);
  worker.batch = scenario_.batching ? batch->size : 0;
  const std::int64_t issued = now();
  for (Due& due : worker.taken) {
    due.issued_ns = issued;
    due.late_ns = saturated(issued - batch->at_ns);
  }
  return true;
}

/// False if the load was canceled meanwhile. With `news` it ends early when there are others.
bool Generator::wait_until(std::int64_t due_ns, std::optional<std::uint64_t> news) {
  const std::int64_t longest = news ? kNewsNs : longest_sleep(due_ns - now());
  for (std::int64_t time = now(); time < due_ns; time = now()) {
    if (stop_.load(std::memory_order_relaxed) || target_.canceled()) return false;
    if (news && queue_->news() != *news) return true;
    waiter_.approach(time, due_ns, longest);
  }
  return true;
}

}  // namespace ridge::runtime
